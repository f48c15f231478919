import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LocalStack } from '#lib/local/stack.ts';
import { type FakeShopSystem, startFakeShopSystem } from '#test/kit/fake-shop-system.ts';
import { clientOf } from './kit/client.ts';
import { expectError } from './kit/errors.ts';
import { type Grant, grantsOf } from './kit/grants.ts';
import { startInProcess } from './kit/in-process-stack.ts';
import { lacking } from './kit/narrowed-stack.ts';
import { api, assembly, newSlug, superAdmin } from './kit/shared-stack.ts';
import { tourOfShopSystem } from './kit/shop-system-tour.ts';

const grants = grantsOf(assembly).filter(({ policy }) => policy.startsWith('ShopSystemApi'));
const named = ({ action, keys, statement }: Grant) => `${action} on ${keys ?? `its resource, statement ${statement}`}`;

let stack: LocalStack & AsyncDisposable;
let system: FakeShopSystem;
beforeAll(async () => {
  system = await startFakeShopSystem();
  stack = await startInProcess(assembly, { ALLOW_LOCAL_TARGETS: 'true' });
});
afterAll(async () => {
  await stack.stop();
  await system.stop();
});

describe('the grants of the shop-system family', () => {
  it('suffice for every operation', async () => {
    const answers = Object.entries(await tourOfShopSystem(api, superAdmin, newSlug(), system.adminUrl));
    expect(answers.filter(([, { status }]) => status !== 200)).toEqual([]);
  });

  it.each(grants.map((grant) => ({ grant, name: named(grant) })))(
    'are each needed by some operation: $name',
    async ({ grant }) => {
      const answers = await lacking(stack, [grant], () =>
        tourOfShopSystem(clientOf(stack.url), superAdmin, newSlug(), system.adminUrl),
      );
      const refused = Object.values(answers).filter(({ status }) => status === 500);
      expect(refused, `no operation needs ${named(grant)}`).not.toEqual([]);
      const errors = stack.logs('ShopSystemApi').filter((line) => line.includes('AccessDenied'));
      for (const answer of refused) {
        expectError(answer, 500, 'unexpected');
        const logged = errors.find((line) => line.includes(answer.headers.get('x-correlation-id')!));
        expect(logged).toContain(grant.action);
      }
    },
  );
});
