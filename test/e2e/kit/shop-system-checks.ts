import { expect } from 'vitest';
import type { Answer } from './client.ts';
import { api } from './shared-stack.ts';

type Call = (method: string, path: string, body?: unknown) => Promise<Answer>;

/** The order with this number; there must be one. */
export async function orderOf(call: Call, number: string): Promise<Answer['body']> {
  const { body } = await call('GET', `/orders?order_number=${encodeURIComponent(number)}`);
  expect(body).toHaveLength(1);
  return body[0];
}

/** What the customer sees. */
export async function pageOf({ tracking_page_url }: { tracking_page_url: string }): Promise<string> {
  const page = await api('GET', new URL(tracking_page_url).pathname);
  expect(page.status).toBe(200);
  return page.text;
}

/**
 * What does not depend on when things came and on ids that the service makes. A parcel that was a draft also says when the
 * order was created.
 */
export function stableParts(order: Answer['body']) {
  const { uuid, tracking_page_url, created_at, updated_at, trackings, ...fields } = order;
  const parcels = trackings.map((parcel: Answer['body']) => ({
    carrier: parcel.carrier,
    phase: parcel.phase,
    events: parcel.events.flatMap(({ event_name }: { event_name: string }) =>
      event_name === 'ORDER_CREATED' ? [] : [event_name],
    ),
  }));
  const byNumber = (parcel: { carrier: { tracking_number: string | null } }) => String(parcel.carrier.tracking_number);
  return { ...fields, parcels: parcels.toSorted((a: never, b: never) => (byNumber(a) < byNumber(b) ? -1 : 1)) };
}

export const inboundOf = async (call: Call): Promise<Answer['body']> => {
  const answer = await call('GET', '/shop-system/inbound');
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};

/** Numbers that are the same in each run, so that a failure can be repeated. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

/** In another order, and some twice. */
export function shuffledWithRepeats<T>(values: readonly T[], random: () => number): T[] {
  const all = values.flatMap((value) => (random() < 0.3 ? [value, value] : [value]));
  for (let i = all.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [all[i], all[j]] = [all[j]!, all[i]!];
  }
  return all;
}
