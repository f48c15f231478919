import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LocalStack } from '#lib/local/stack.ts';
import { clientOf } from './kit/client.ts';
import { expectError } from './kit/errors.ts';
import { type Grant, grantsOf } from './kit/grants.ts';
import { startInProcess } from './kit/in-process-stack.ts';
import { lacking } from './kit/narrowed-stack.ts';
import { type Family, tourOfOrders } from './kit/orders-tour.ts';
import { api, assembly, newSlug, superAdmin } from './kit/shared-stack.ts';

const of = (family: Family) => grantsOf(assembly).filter(({ policy }) => policy.startsWith(family));
const familyOf = ({ policy }: Grant) => /^\w+?Api/.exec(policy)![0] as Family;
const named = (grant: Grant) => `${grant.action} on ${grant.keys ?? 'its resource'} (${familyOf(grant)})`;

/** These need nothing of each other, so that a grant of each can be taken away at once. */
const beside = [of('ShipmentsApi'), of('EventsApi'), of('ClaimsApi')];
const together = Array.from({ length: Math.max(...beside.map(({ length }) => length)) }, (_, i) =>
  beside.flatMap((grants) => grants[i] ?? []),
);
const cases = [...of('OrdersApi').map((grant) => [grant]), ...together];

let stack: LocalStack & AsyncDisposable;
beforeAll(async () => {
  stack = await startInProcess(assembly);
});
afterAll(() => stack.stop());

describe('the grants of orders, shipments, events and claims', () => {
  it('suffice for every operation', async () => {
    const tour = await tourOfOrders(api, superAdmin, newSlug());
    const answers = Object.entries(tour).flatMap(([family, calls]) =>
      Object.entries(calls).map(([name, { status, text }]) => ({ family, name, status, text: text.slice(0, 200) })),
    );
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  });

  it.each(cases.map((grants) => ({ grants, names: grants.map(named).join(', ') })))(
    'are each needed by some operation: $names',
    async ({ grants }) => {
      const tour = await lacking(stack, grants, () =>
        tourOfOrders(clientOf(stack.url), superAdmin, newSlug(), grants.map(familyOf)),
      );
      for (const grant of grants) {
        const refused = Object.values(tour[familyOf(grant)]).filter(({ status }) => status === 500);
        expect(refused, `no operation needs ${named(grant)}`).not.toEqual([]);
        const errors = stack.logs(familyOf(grant)).filter((line) => line.includes('AccessDenied'));
        for (const answer of refused) {
          expectError(answer, 500, 'unexpected');
          const logged = errors.find((line) => line.includes(answer.headers.get('x-correlation-id')!));
          expect(logged).toContain(grant.action);
        }
      }
    },
  );
});
