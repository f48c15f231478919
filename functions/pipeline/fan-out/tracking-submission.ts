import type { TrackingBacklogItem, TrackingRequestItem } from '#domain/orders/outbox.ts';
import { shopsTakingUpdates } from '#domain/settings/stored-settings.ts';
import { providerFor, readProviders } from '#domain/tracking-providers/provider-store.ts';
import { loadOnce } from '#platform/batches.ts';
import { type Caused, causeOf } from '#platform/correlation.ts';
import type { TrackingRequest } from '#schemas/shapes/carrier-updates.ts';
import { type Outgoing, outgoing } from './outgoing.ts';

/** What an outbox item asks for: the parcels that one API request fulfilled, or all that are under way in a shop. */
type SubmissionItem = (Caused & Pick<TrackingRequestItem, 'kind' | 'shop_slug' | 'parcels'>) | TrackingBacklogItem;

/**
 * Sends parcels that are to be watched to the queue of our own connectors, or to the one that a connector of the operator
 * reads. It reads the settings of each shop and the providers only once for a batch.
 */
export function startSubmitting() {
  const takesUpdates = loadOnce(async (slug) => (await shopsTakingUpdates([slug])).has(slug));
  const providers = loadOnce(readProviders);
  return async (item: SubmissionItem): Promise<Outgoing[]> => {
    const { shop_slug } = item;
    if (!(await takesUpdates(shop_slug))) return [];
    if (item.kind === 'tracking_backlog') {
      const { generation, since } = item;
      return outgoing('registrations', [{ shop_slug, backlog: { generation, since }, ...causeOf(item) }]);
    }
    const known = await providers('');
    const parcels = item.parcels.map((parcel) => ({ shop_slug, ...parcel }));
    const isTaken = ({ carrier_reference }: TrackingRequest) => providerFor(carrier_reference, known) !== undefined;
    return [
      ...outgoing(
        'registrations',
        parcels.filter(isTaken).map((parcel) => ({ ...parcel, ...causeOf(item) })),
      ),
      ...outgoing(
        'tracking_requests',
        parcels.filter((parcel) => !isTaken(parcel)),
      ),
    ];
  };
}
