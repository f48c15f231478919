import type { PrivacyRequest, RequestStep } from '#domain/privacy/request.ts';
import { endOfQuestion } from '#domain/privacy/request-store.ts';
import { isGivenUp } from '#domain/privacy/work.ts';
import { ifHeld, saveIfHeld } from '#domain/privacy/work-store.ts';
import type { ShopItem } from '#platform/access/caller.ts';
import { keyOf } from '#platform/table/keys.ts';
import { getItem } from '#platform/table/reads.ts';
import { commit } from '#platform/table/writes.ts';
import { collect, dropFiles, removeDisclosures, zip } from './disclosure.ts';
import { countOrder, eraseNext, find, sweep, writeLedger } from './erasure.ts';
import type { Turn, Worker } from './round.ts';
import type { DoStep } from './step.ts';

const steps: Record<RequestStep, DoStep> = {
  find,
  count: countOrder,
  ledger: writeLedger,
  erase: eraseNext,
  disclosures: removeDisclosures,
  sweep,
  collect,
  zip,
};

/** Erasures and disclosures. */
export const workOnRequest: Worker = async (work, turn) => {
  let request = work as PrivacyRequest;
  const shop = await getItem<ShopItem>(keyOf.shop(request.shop_slug));
  // The removal of a shop takes all that it has.
  if (!shop) return end(request, 'done', turn);
  if (isGivenUp(request.tries ?? 0)) {
    // Nobody would remove them if the person is erased next.
    if (request.kind === 'disclosure') await dropFiles(request);
    return end(request, 'failed', turn);
  }
  while (!turn.isOver()) {
    const result = await steps[request.step]({ request, shop, turn });
    if (result instanceof Date) return result;
    if (result === 'done') return end(request, 'done', turn);
    await saveIfHeld(request, result);
    const { position, person, ...rest } = { ...request, ...result };
    request = { ...rest, ...(position !== undefined && { position }), ...(person && { person }) };
  }
  return turn.now();
};

/** Longer than a function runs that had read an order just before its erasure. */
const sweepAfterMs = 2 * 60_000;

/**
 * The request has its result, and nothing in it names the person any more. After an erasure one look is left, at what was in
 * the hands of other functions while it ran.
 */
async function end(request: PrivacyRequest, status: 'done' | 'failed', { now }: Turn): Promise<Date | 'done'> {
  const sweeps = request.kind === 'erasure' && !request.dry_run && status === 'done' && request.step !== 'sweep';
  if (request.status === 'running') {
    const at = now().toISOString();
    await commit([
      ifHeld(request, {
        UpdateExpression:
          'SET #status = :status, done_at = :at, #step = :step REMOVE person, #position, held_until, tries' +
          (sweeps ? '' : ', list_pk, list_sk'),
        ExpressionAttributeNames: { '#status': 'status', '#step': 'step', '#position': 'position' },
        ExpressionAttributeValues: { ':status': status, ':at': at, ':step': sweeps ? 'sweep' : request.step },
      }),
      endOfQuestion(request),
    ]);
    return sweeps ? new Date(now().getTime() + sweepAfterMs) : 'done';
  }
  await commit([
    ifHeld(request, {
      UpdateExpression: 'REMOVE #position, held_until, tries, list_pk, list_sk',
      ExpressionAttributeNames: { '#position': 'position' },
    }),
  ]);
  return 'done';
}
