import type { StoredSettings } from '#domain/settings/stored-settings.ts';
import { retentionLimits } from '#schemas/catalogues/limits.ts';
import type { Retention } from '#schemas/families/privacy.ts';

/** How long the shop has its data kept. */
export const retentionOf = ({ retention }: StoredSettings): Retention => ({
  orders_days: retention?.orders_days ?? null,
  claim_images_days: retention?.claim_images_days ?? null,
  deliveries_days: retention?.deliveries_days ?? retentionLimits.deliveriesDays,
});

/** Whether the service has to look for what is too old. Deliveries end by themselves when they are as old as they can get. */
export const endsAnything = ({ orders_days, claim_images_days, deliveries_days }: Retention): boolean =>
  orders_days !== null || claim_images_days !== null || deliveries_days < retentionLimits.deliveriesDays;
