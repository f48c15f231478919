import type { Count, Counted } from '#platform/personal-data.ts';
import type { PersonalStore } from '#schemas/catalogues/personal-stores.ts';
import type { PrivacyRequest as Shown, StoreCounts } from '#schemas/families/privacy.ts';
import type { PrivacyRequest } from './request.ts';
import { keptBecause } from './stores.ts';

/** A request as callers see it: nothing in it names the person. */
export const toResponse = (request: PrivacyRequest, download_url: string | null): Shown => ({
  uuid: request.uuid,
  kind: request.kind,
  status: request.status,
  dry_run: request.dry_run,
  reference: request.reference,
  created_at: request.created_at,
  done_at: request.done_at,
  orders: request.orders,
  stores: storesOf(request.counts),
  download_url,
  requested_by: request.requested_by,
});

const storesOf = (counts: Counted): StoreCounts[] =>
  (Object.entries(counts) as [PersonalStore, Count][])
    .filter(([, { found }]) => found > 0)
    .map(([store, { found, erased, kept }]) => ({
      store,
      found,
      erased,
      kept,
      kept_because: kept > 0 ? keptBecause[store] : null,
    }))
    .toSorted((a, b) => a.store.localeCompare(b.store, 'en'));
