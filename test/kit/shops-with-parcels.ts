import { afterEach, beforeEach, vi } from 'vitest';
import { type Call, invoke } from './invoke.ts';
import { shopItems } from './parcels.ts';
import { asOperator, operator, tableWith } from './table.ts';

/** Before each test: only these shops, which take carriers' updates, at noon. */
export function holdsShops(...slugs: string[]): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-14T12:00:00Z') });
    tableWith(operator.item, ...slugs.flatMap((slug) => shopItems(slug, true)));
  });
  afterEach(() => {
    vi.useRealTimers();
  });
}

type Handler = Parameters<typeof invoke>[0];

/** Calls a handler as the operator. @param path behind that of the shop */
export const callsAt =
  (slug: string) =>
  (handler: Handler, method: string, path: string, more: Partial<Call> = {}) =>
    invoke(handler, {
      method,
      resource: `/v1/shops/{slug}${path}`,
      headers: asOperator,
      ...more,
      params: { slug, ...more.params },
    });
