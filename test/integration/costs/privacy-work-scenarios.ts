import { expect } from 'vitest';
import type { Usage } from '#lib/local/aws/usage.ts';
import { clientOf } from '#test/e2e/kit/client.ts';
import type { RunningService } from '#test/kit/service.ts';
import { type PlayedShop, playOrder } from './played-orders.ts';
import type { Cost } from './tables.ts';

const functionId = 'PrivacyWork';

const row = (what: string, access: string, code: string, usages: readonly Usage[]): Cost => ({
  scenario: { operation: 'privacy-work', case: what, access, code: `functions/${code}` },
  usages: usages.filter((usage) => usage.functionId.startsWith(functionId)),
});

const found =
  '`ORDERREF#slug#number`; `PRIVACY#slug#request` / `ORDER#uuid`; the order with its parcel, claims, outbox, page, payloads, deliveries and runs';

/** What one order of the bill costs that is erased or disclosed, from the first round that takes the request on. */
export async function measurePrivacyWork(service: RunningService, shop: PlayedShop): Promise<Cost[]> {
  const { stack } = service;
  // The first erasure of all makes the key of the ledger.
  await fulfil(service, shop, 'erasure');
  const erasure = await fulfil(service, shop, 'erasure');
  const disclosure = await fulfil(service, shop, 'disclosure');
  await stack.invoke(functionId, {});
  return [
    row('a round without work', 'index `lists`: `PRIVACY`', 'domain/privacy/work-store.ts', stack.usage.take()),
    row(
      'the erasure of an order with five deliveries',
      `${found}; an object of the ledger; each of these without what is personal`,
      'domain/privacy/erase-everything.ts',
      erasure,
    ),
    row(
      'the disclosure of such an order',
      `${found}; parts and file in the bucket`,
      'pipeline/privacy-work/disclosure.ts',
      disclosure,
    ),
  ];
}

async function fulfil(
  { stack, operator }: RunningService,
  shop: PlayedShop,
  kind: 'erasure' | 'disclosure',
): Promise<Usage[]> {
  const { id } = await playOrder(shop);
  const key = `${operator.username}:${operator.secret}`;
  const path = `/v1/shops/${shop.slug}/privacy/requests`;
  const api = clientOf(stack.url);
  const { body: asked } = await api('POST', path, { key, body: { kind, order_numbers: [id] } });
  stack.usage.take();
  await stack.invoke(functionId, {});
  const usages = stack.usage.take();
  const { body } = await api('GET', `${path}/${asked.uuid}`, { key });
  expect(body).toMatchObject({ status: 'done', orders: 1 });
  stack.usage.take();
  return usages;
}
