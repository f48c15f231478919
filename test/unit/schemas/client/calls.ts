import {
  type ClaimEventPayload,
  createClient,
  type ShipmentEventPayload,
  type WebhookEvent,
} from '#schemas/client/index.ts';

/**
 * What the compiler takes and what it refuses. Nothing runs this file: `npm run check` compiles it, and the test of the
 * package compiles it against the types that are published.
 */

const client = createClient({ baseUrl: 'https://api.example.com', key: 'my-shop:secret', shop: 'my-shop' });
const operator = createClient({ baseUrl: 'https://api.example.com', key: 'operator:secret' });

export async function goodCalls(): Promise<unknown[]> {
  const order = await client.upsertOrder({
    body: { id: '1001', order: { email_id: 'ada@example.com' }, trackings: [{ tracking_number: '0034' }] },
  });
  const endpoint = await client.createWebhook({ body: { url: 'https://shop.example.com/hook' } });
  const { uuid, secret, status }: { uuid: string; secret: string; status: 'active' | 'inactive' } = endpoint;
  await client.updateWebhook({ params: { uuid }, body: { status: 'inactive' }, ifMatch: endpoint.updated_at });
  await client.updateWebhook({ params: { uuid }, body: { description: null } });
  await client.testWebhook({ params: { uuid } });
  const { answer, etag } = await client.respond('getBrandPalette');
  for await (const shipment of client.paged('searchShipments', { query: { sort: 'updated_at' } })) {
    const number: string | null = shipment.tracking_number;
    void number;
  }
  const followed = client.events({
    after: 'cursor',
    endpoint: uuid,
    until: 'end',
    signal: new AbortController().signal,
  });
  for await (const event of followed) {
    if (event.erased) continue;
    const told: [WebhookEvent | null, string, number | null] = [event.payload, event.ref, event.subject_version];
    void told;
  }
  for await (const { id, at, cursor } of operator.events({
    params: { slug: 'my-shop' },
    ref: 'claims',
    from: '2026-11-18',
  })) {
    const texts: string[] = [id, at, cursor];
    void texts;
  }
  const shops: { slug: string }[] = await operator.call('searchShops', { query: { page: 2, per_page: 10 } });
  const page: string = await operator.getDocs();
  await client.uploadImage({ body: new FormData() });
  await operator.getShop({ params: { slug: 'my-shop' }, signal: new AbortController().signal });
  return [order, secret, status, answer, etag, shops, page, followed.cursor];
}

export function badCalls(): unknown[] {
  return [
    // @ts-expect-error a field that is missing
    client.upsertOrder({ body: { order: {}, trackings: [] } }),
    // @ts-expect-error a field of the wrong type
    client.upsertOrder({ body: { id: 1001, trackings: [] } }),
    // @ts-expect-error a field that is not declared
    client.createWebhook({ body: { url: 'https://shop.example.com/hook', events: ['*'] } }),
    // @ts-expect-error a value that is not in the list
    client.createWebhook({ body: { url: 'https://shop.example.com/hook', status: 'on' } }),
    // @ts-expect-error a body that is missing
    client.createWebhook(),
    // @ts-expect-error a parameter of the path that is missing
    client.deleteWebhook(),
    // @ts-expect-error a parameter of another operation
    client.deleteWebhook({ params: { delivery_id: 'a' } }),
    // @ts-expect-error no slug, and the client has no shop
    operator.getShop(),
    // @ts-expect-error a filter that is missing
    client.detectCarrier({ query: {} }),
    // @ts-expect-error a filter that is not declared
    client.searchWebhooks({ query: { state: 'active' } }),
    // @ts-expect-error a body where the operation takes none
    client.getShop({ body: {} }),
    // @ts-expect-error a state where the operation knows none
    client.createWebhook({ body: { url: 'https://shop.example.com/hook' }, ifMatch: 'a' }),
    // @ts-expect-error an operation that does not exist
    client.upsertOrders({}),
    // @ts-expect-error an operation that other systems sign
    client.call('receiveProviderWebhook', {}),
    // @ts-expect-error an operation that has no pages
    client.paged('getStatistics'),
    // @ts-expect-error no slug, and the client has no shop
    operator.events({ after: 'cursor' }),
    // @ts-expect-error another end than the one there is
    client.events({ until: 'tomorrow' }),
    // @ts-expect-error a filter of the feed that is not declared
    client.events({ since: '2026-11-18' }),
    // @ts-expect-error a field that the answer does not have
    client.getShop().then(({ name_of_shop }) => name_of_shop),
  ];
}

export function events(event: WebhookEvent): string {
  if (event.source === 'claims') {
    const claim: ClaimEventPayload = event;
    return `${claim.ref satisfies 'claims/created' | 'claims/updated'} ${claim.event_data.claim_id}`;
  }
  if (event.source === 'withdrawals') return `${event.event_data.uuid} ${event.event_data.status}`;
  const shipment: ShipmentEventPayload = event;
  // @ts-expect-error a field of the other event
  void shipment.event_data.claim_id;
  return `${shipment.event_data.event_name} ${shipment.context.order.order_number}`;
}
