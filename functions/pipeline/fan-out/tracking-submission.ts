import type { TrackingBacklogItem, TrackingRequestItem } from '#domain/orders/outbox.ts';
import { shopsTakingUpdates } from '#domain/settings/stored-settings.ts';
import { providerFor, readProviders } from '#domain/tracking-providers/provider-store.ts';
import type { RegistrationMessage } from '#domain/tracking-providers/registration-queue.ts';
import { loadOnce } from '#platform/batches.ts';
import { type Caused, causeOf } from '#platform/correlation.ts';
import type { TrackingRequest } from '#schemas/shapes/carrier-updates.ts';

/** Where parcels go that are to be watched. */
export interface Submission {
  /** To the queue of our own connectors. */
  registrations: RegistrationMessage[];
  /** To the queue that a connector of the operator reads. */
  trackingRequests: TrackingRequest[];
}

/** What an outbox item asks for: the parcels that one API request fulfilled, or all that are under way in a shop. */
type SubmissionItem = (Caused & Pick<TrackingRequestItem, 'kind' | 'shop_slug' | 'parcels'>) | TrackingBacklogItem;

const nothing: Submission = { registrations: [], trackingRequests: [] };

/** Reads the settings of each shop and the providers only once for a batch. */
export function startSubmitting() {
  const takesUpdates = loadOnce(async (slug) => (await shopsTakingUpdates([slug])).has(slug));
  const providers = loadOnce(readProviders);
  return async (item: SubmissionItem): Promise<Submission> => {
    const { shop_slug } = item;
    if (!(await takesUpdates(shop_slug))) return nothing;
    if (item.kind === 'tracking_backlog') {
      const { generation, since } = item;
      return { ...nothing, registrations: [{ shop_slug, backlog: { generation, since }, ...causeOf(item) }] };
    }
    const known = await providers('');
    const parcels = item.parcels.map((parcel) => ({ shop_slug, ...parcel }));
    const isTaken = ({ carrier_reference }: TrackingRequest) => providerFor(carrier_reference, known) !== undefined;
    return {
      registrations: parcels.filter(isTaken).map((parcel) => ({ ...parcel, ...causeOf(item) })),
      trackingRequests: parcels.filter((parcel) => !isTaken(parcel)),
    };
  };
}
