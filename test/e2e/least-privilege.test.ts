import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LocalStack } from '#lib/local/stack.ts';
import { type FakeShopSystem, startFakeShopSystem } from '#test/kit/fake-shop-system.ts';
import { type Answer, type Api, clientOf } from './kit/client.ts';
import { expectError } from './kit/errors.ts';
import { type Grant, grantsOf } from './kit/grants.ts';
import { startInProcess } from './kit/in-process-stack.ts';
import { lacking } from './kit/narrowed-stack.ts';
import { tourOfSettings } from './kit/settings-tour.ts';
import { api, assembly, newSlug, superAdmin } from './kit/shared-stack.ts';
import { tourOfShopSystem } from './kit/shop-system-tour.ts';
import { tourOfShops } from './kit/shops-tour.ts';

/** Families that need orders to work on have a file of their own. */
const tours = {
  ShopsApi: tourOfShops,
  SettingsApi: tourOfSettings,
  ShopSystemApi: (api, key, slug) => tourOfShopSystem(api, key, slug, system.adminUrl),
} satisfies Record<string, TourOf>;
type TourOf = (api: Api, key: string, slug: string) => Promise<Record<string, Answer>>;
type Family = keyof typeof tours;
const families = Object.keys(tours) as Family[];
const tourOf = (family: Family): TourOf => tours[family];

const familyOf = ({ policy }: Grant) => families.find((family) => policy.startsWith(family));
const grants = grantsOf(assembly).filter((grant) => familyOf(grant) !== undefined);

const named = ({ policy, action, keys, statement }: Grant) =>
  `${action} on ${keys ?? `its resource, statement ${statement}`} (${policy})`;

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

describe('the grants of shops, settings and the shop system', () => {
  it.each(families)('suffice for every operation: %s', async (family) => {
    const answers = Object.entries(await tourOf(family)(api, superAdmin, newSlug()));
    expect(answers.filter(([, { status }]) => status !== 200)).toEqual([]);
  });

  it('are there to be looked at', () => {
    expect([...new Set(grants.map(familyOf))].toSorted()).toEqual(families.toSorted());
  });

  it.each(grants.map((grant) => ({ grant, name: named(grant) })))(
    'are each needed by some operation: $name',
    async ({ grant }) => {
      const family = familyOf(grant)!;
      const answers = await lacking(stack, [grant], () => tourOf(family)(clientOf(stack.url), superAdmin, newSlug()));

      const refused = Object.values(answers).filter(({ status }) => status === 500);
      expect(refused, `no operation needs ${named(grant)}`).not.toEqual([]);
      const errors = stack.logs(family).filter((line) => line.includes('"ERROR"'));
      for (const answer of refused) {
        expectError(answer, 500, 'unexpected');
        expect(answer.text).not.toMatch(/denied|dynamodb|kms|arn:|authorized|policy|\.ts|\.mjs|node:/i);
        const correlationId = answer.headers.get('x-correlation-id')!;
        const logged = errors.find((line) => line.includes(correlationId));
        expect(logged).toContain('AccessDenied');
        expect(logged).toContain(grant.action);
      }
    },
  );
});
