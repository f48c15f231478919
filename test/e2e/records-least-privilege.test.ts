import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LocalStack } from '#lib/local/stack.ts';
import { allOperations } from '#schemas/index.ts';
import { type Answer, clientOf } from './kit/client.ts';
import { expectError } from './kit/errors.ts';
import { type Grant, grantsOf } from './kit/grants.ts';
import { startInProcess } from './kit/in-process-stack.ts';
import { lacking } from './kit/narrowed-stack.ts';
import { furtherPages, newRecordShop, pathIn, type RecordFamily, recordRequests } from './kit/record-requests.ts';
import { assembly, superAdmin } from './kit/shared-stack.ts';

const families = Object.keys(recordRequests) as RecordFamily[];
const grantsByFamily = families.map((family) => grantsOf(assembly).filter(({ policy }) => policy.startsWith(family)));
const familyOf = ({ policy }: Grant) => families.find((family) => policy.startsWith(family))!;
const named = (grant: Grant) => `${grant.action} on ${grant.keys ?? 'its resource'} (${familyOf(grant)})`;

/** The families need nothing of each other, so that each of them can lack a grant at the same time. */
const most = Math.max(...grantsByFamily.map(({ length }) => length));
const cases = Array.from({ length: most }, (_, i) =>
  grantsByFamily.map((grants) => grants[i]).filter((grant) => grant !== undefined),
);

let stack: LocalStack & AsyncDisposable;
beforeAll(async () => {
  stack = await startInProcess(assembly);
});
afterAll(() => stack.stop());

/** Every operation of the family, with a second page. */
async function tour(family: RecordFamily, shop: Awaited<ReturnType<typeof newRecordShop>>): Promise<Answer[]> {
  const api = clientOf(stack.url);
  const answers: Answer[] = [];
  const requests = Object.entries(recordRequests[family](shop)).map(([id, request]) => ({
    method: allOperations.find((operation) => operation.id === id)!.method as string,
    ...request,
  }));
  const further = furtherPages[family];
  for (const { method, path, ...call } of [...requests, ...(further ? [{ method: 'GET', ...further }] : [])]) {
    answers.push(await api(method, pathIn(shop.slug, path), { key: superAdmin, ...call }));
  }
  return answers;
}

describe('the grants of the families of records', () => {
  it('suffice for every operation', async () => {
    const shop = await newRecordShop(clientOf(stack.url), superAdmin);
    for (const family of families) {
      const answers = await tour(family, shop);
      expect(answers.map(({ status, text }) => (status === 200 ? status : text))).toEqual(answers.map(() => 200));
    }
  });

  it.each(cases.map((grants) => ({ grants, names: grants.map(named).join(', ') })))(
    'are each needed by some operation: $names',
    async ({ grants }) => {
      const shop = await newRecordShop(clientOf(stack.url), superAdmin);
      await lacking(stack, grants, async () => {
        for (const grant of grants) {
          const refused = (await tour(familyOf(grant), shop)).filter(({ status }) => status === 500);
          expect(refused, `no operation needs ${named(grant)}`).not.toEqual([]);
          const errors = stack.logs(familyOf(grant)).filter((line) => line.includes('AccessDenied'));
          for (const answer of refused) {
            expectError(answer, 500, 'unexpected');
            const logged = errors.find((line) => line.includes(answer.headers.get('x-correlation-id')!));
            expect(logged).toContain(grant.action);
          }
        }
      });
    },
  );
});
