import { keyOf } from '#platform/table/keys.ts';
import { batchGet, getItem } from '#platform/table/reads.ts';
import type { MailedGroup } from '#schemas/catalogues/emails.ts';
import type { NotifiedIntegration, ThirdParty } from '#schemas/catalogues/integrations.ts';
import type { Retention } from '#schemas/families/privacy.ts';
import type { Mappings } from '#schemas/shapes/settings-shapes.ts';
import type { TrackingPageSettings } from '#schemas/shapes/tracking-page.ts';

/** The trigger settings of one integration or of webhooks. Only fields that somebody set are present. */
export interface StoredTriggerSettings {
  status?: boolean;
  stale_event_threshold?: number;
  trigger_delivered_all_events?: boolean;
  segments_enabled?: boolean;
  use_proxy?: boolean;
  rest_endpoint?: string;
  portal_id?: string;
  instance_id?: string;
}

/**
 * The settings item of a shop. A field that was never set is absent and has its default. A shop may have no such item.
 */
export interface StoredSettings {
  /** Counts the changes, so concurrent writers do not overwrite each other. */
  version?: number;
  carriers?: CarrierSwitch;
  triggers?: Partial<Record<NotifiedIntegration, boolean>>;
  segments?: Partial<Record<NotifiedIntegration, boolean>>;
  campaigns?: { product_recommendations_enabled?: boolean | null };
  brand_palette?: Record<string, string>;
  mappings?: Mappings;
  tracking_page?: Partial<TrackingPageSettings>;
  retention?: Partial<Retention>;
  emails?: StoredEmailSettings;
  events?: StoredFeedSettings;
  trigger_settings?: Partial<Record<ThirdParty, StoredTriggerSettings>>;
}

export interface StoredEmailSettings {
  enabled?: boolean;
  sender_name?: string;
  reply_to?: string;
  groups?: Partial<Record<MailedGroup, boolean>>;
}

interface StoredFeedSettings {
  feed_enabled?: boolean;
  /** The version of the settings with which the shop last switched its feed on. */
  generation?: number;
}

interface CarrierSwitch {
  shipment_updates?: boolean;
  /** The version of the settings with which the shop last switched updates on. */
  generation?: number;
}

export const loadSettings = async (slug: string): Promise<StoredSettings> =>
  (await getItem<StoredSettings>(keyOf.settings(slug))) ?? {};

/** Whether campaigns of the type `product` are shown. They are until somebody turns them off. */
export const showsProducts = ({ campaigns }: StoredSettings): boolean =>
  campaigns?.product_recommendations_enabled !== false;

export const takesUpdates = ({ carriers }: StoredSettings): boolean => carriers?.shipment_updates === true;

/** The shops that have their parcels tracked. The default is off. */
export async function shopsTakingUpdates(slugs: Iterable<string>): Promise<Set<string>> {
  const distinct = [...new Set(slugs)];
  const settings = (await batchGet(distinct.map(keyOf.settings))) as (StoredSettings | undefined)[];
  return new Set(distinct.filter((_, i) => takesUpdates(settings[i] ?? {})));
}
