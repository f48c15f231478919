import { randomBytes } from 'node:crypto';
import type { Answer, Api } from './client.ts';

export type Family = 'OrdersApi' | 'ShipmentsApi' | 'EventsApi' | 'ClaimsApi';
export type OrdersTour = Record<Family, Record<string, Answer>>;

type Request = readonly [method: string, path: string, body?: unknown, query?: Record<string, string | number>];

const address = { zip_code: '1010' };
const trackings = (...numbers: string[]) => numbers.map((tracking_number) => ({ tracking_number }));
const searched = (query: Record<string, string | number>): Request => ['GET', '/orders', undefined, query];
const found = (q: string): Request => ['GET', '/search', undefined, { q }];
const event = (id_type: string, id: string, event_name = 'IN_DELIVERY'): Request => [
  'POST',
  '/shipment-events',
  { id, id_type, event_name },
  { notify: 'true' },
];

/**
 * Every operation of the families, in each of the ways that read or write something else, on a shop of its own. One
 * that fails does not keep the later ones from being called.
 */
export async function tourOfOrders(
  api: Api,
  key: string,
  slug: string,
  families: readonly Family[] = ['OrdersApi', 'ShipmentsApi', 'EventsApi', 'ClaimsApi'],
): Promise<OrdersTour> {
  await api('POST', '/v1/shops', { key, body: { name: 'A shop', slug } });
  const callAll: CallAll = async (requests) => {
    const answers: Record<string, Answer> = {};
    for (const [name, [method, path, body, query = {}]] of Object.entries(requests)) {
      answers[name] = await api(method, `/v1/shops/${slug}${path}`, { key, body, query });
    }
    return answers;
  };
  const made = await callAll(ordersForAll);
  const ids = idsIn(made.byNumber);
  const tour = {
    OrdersApi: { ...made, ...(families.includes('OrdersApi') && (await callAll(orderRequests(ids)))) },
    ShipmentsApi: families.includes('ShipmentsApi') ? await callAll(shipmentRequests) : {},
    EventsApi: families.includes('EventsApi') ? await callAll(eventRequests(ids)) : {},
    ClaimsApi: families.includes('ClaimsApi') ? await tourOfClaims(callAll, ids) : {},
  };
  if (!families.includes('OrdersApi')) return tour;
  const claim = tour.ClaimsApi.ofOneOrder?.body?.uuid ?? noId;
  return { ...tour, OrdersApi: { ...tour.OrdersApi, ...(await callAll(supportRequests(ids, claim))) } };
}

type CallAll = (requests: Record<string, Request>) => Promise<Record<string, Answer>>;

/** If no claim could be made, the other operations use an unknown id. */
async function tourOfClaims(callAll: CallAll, { order, shipment }: Ids): Promise<Record<string, Answer>> {
  const { simulated } = await callAll({ simulated: ['POST', '/simulations', { journey: 'lost' }] });
  const simulatedParcel = String(simulated?.body?.order_id).replace(/000$/, '001');
  const made = await callAll({
    create: ['POST', '/claims', { shipment_id: shipment, reason: 'damage' }],
    ofSimulation: ['POST', '/claims', { shipment_id: simulatedParcel, reason: 'damage' }],
    byTrackingNumber: ['POST', '/claims', { tracking_number: 't1', reason: 'damage' }],
    ofOneOrder: ['POST', '/claims', { tracking_number: 't1', order_number: 'n1', reason: 'damage' }],
  });
  const claim = `/claims/${made.create?.body?.uuid ?? noId}`;
  const list = (query: Record<string, string | number>): Request => ['GET', '/claims', undefined, query];
  const used = await callAll({
    list: list({ per_page: 1 }),
    secondPage: list({ per_page: 1, page: 2 }),
    farPage: list({ page: 100 }),
    byUpdate: list({ sort: 'updated_at' }),
    ofOrder: list({ order_id: order }),
    get: ['GET', claim],
    update: ['PUT', claim, { status: 'accepted' }],
    history: ['GET', `${claim}/history`],
    write: ['POST', `${claim}/messages`, { text: 'We look into it.' }],
    messages: ['GET', `${claim}/messages`],
    delete: ['DELETE', claim],
  });
  return { ...made, ...used };
}

interface Ids {
  order: string;
  shipment: string;
}

/** Unknown ids if the order could not be read. */
function idsIn(search: Answer | undefined): Ids {
  const order = search?.body?.[0];
  return { order: order?.uuid ?? noId, shipment: order?.trackings?.[0]?.uuid ?? noId };
}

const noId = '00000000-0000-4000-8000-000000000000';

const created = (fields: object): Request => [
  'POST',
  '/shipments',
  { order_id: 'n2', order_id_type: 'order_number', ...fields },
];

const largeProducts = Array.from({ length: 20 }, () => ({ product_id: randomBytes(150).toString('base64') }));

const shipmentRequests: Record<string, Request> = {
  draft: created({ external_shipment_id: 's1' }),
  fulfilled: created({ tracking_number: 'r1' }),
  byExternalId: created({ order_id: 'e2', order_id_type: 'external_id', tracking_number: 'r2' }),
  // So large that its event, and later ones of its order, have items of their own.
  byOrderName: created({ order_id: 'two', order_id_type: 'order_name', products: largeProducts }),
  search: ['GET', '/shipments'],
  onePerPage: ['GET', '/shipments', undefined, { per_page: 1 }],
  farPage: ['GET', '/shipments', undefined, { page: 100 }],
  searchByCreation: ['GET', '/shipments', undefined, { sort: 'created_at', created_from: '2026-01-01T00:00:00Z' }],
  byTrackingNumber: ['GET', '/shipments', undefined, { tracking_number: 'r1' }],
  delete: ['DELETE', '/orders/n2/shipments/r1'],
  detectCarrier: ['GET', '/carrier-detection', undefined, { tracking_number: 'x' }],
};

const eventRequests = ({ shipment }: Ids): Record<string, Request> => ({
  byTrackingNumber: event('tracking_number', 't1'),
  byExternalShipmentId: event('external_shipment_id', 's1', 'ORDER_IN_PROCESSING'),
  ofDraft: event('order_number', 'n3', 'ORDER_CANCELLED'),
  byExternalOrderId: event('external_order_id', 'e3', 'ORDER_DELAYED'),
  ofShipment: ['POST', `/shipments/${shipment}/events`, { event_name: 'OUT_FOR_DELIVERY' }],
});

/** The orders that the other families need. */
const ordersForAll: Record<string, Request> = {
  place: [
    'POST',
    '/orders',
    { order_number: 'n1', external_id: 'e1', order_name: 'name', email_id: 'a@x.org', address },
  ],
  placeAnother: ['POST', '/orders', { order_number: 'n2', external_id: 'e2', order_name: 'two', address }],
  placeThird: ['POST', '/orders', { order_number: 'n3', external_id: 'e3', address }],
  fulfil: ['PUT', '/orders', { id: 'n1', trackings: trackings('t1') }],
  // Two parcels at once: their event has an item of its own.
  shareParcel: ['PUT', '/orders', { id: 'n4', order: {}, trackings: trackings('t1', 't4') }],
  byNumber: searched({ order_number: 'n1' }),
  byAttention: searched({ attention: 'lost' }),
};

const orderRequests = ({ order, shipment }: Ids): Record<string, Request> => ({
  changeExternalId: ['PUT', '/orders', { id: 'n3', order: { external_id: 'e3b' }, trackings: [] }],
  changeItBack: ['PUT', '/orders', { id: 'n3', order: { external_id: 'e3' }, trackings: [] }],
  // All that one transaction can write of an order: the page finds it by the new name, and two parcels have an event in an item.
  changeEverything: [
    'PUT',
    '/orders',
    {
      id: 'n4',
      order: { external_id: 'e4', address: { ...address, name: 'Ada Berg' } },
      trackings: trackings('t5', 't6'),
    },
  ],
  byOrderName: ['PUT', '/orders', { id: 'name', id_type: 'order_name', order: { weight: 1 }, trackings: [] }],
  bulk: ['PUT', '/orders/bulk', [{ id: 'n2', order: { weight: 1 }, trackings: [] }]],
  attribution: ['PUT', '/orders/analytics', { id: 'n1' }],
  list: searched({ per_page: 1 }),
  secondPage: searched({ per_page: 1, page: 2 }),
  farPage: searched({ page: 100 }),
  byEmail: searched({ email_id: 'a@x.org' }),
  byZipCode: searched({ zip_code: '1010' }),
  byName: searched({ order_name: 'name' }),
  byChange: searched({ shipment_updated_since: '2026-01-01T00:00:00Z' }),
  bySilence: searched({ attention: 'no_movement' }),
  update: ['PATCH', `/orders/${order}`, { expected_number_of_shipments: 2 }],
  updateShipment: ['PATCH', `/orders/${order}/shipments/${shipment}`, { products: [] }],
});

/** An endpoint that gets nothing and an automation that does nothing, and yet a timeline looks for their deliveries and runs. */
const supportRequests = ({ order }: Ids, claim: string): Record<string, Request> => ({
  listener: ['POST', '/webhooks', { url: 'http://127.0.0.1/nobody', enabled_events: [] }],
  automation: [
    'POST',
    '/automations',
    {
      name: 'Nothing',
      status: 'inactive',
      trigger: { ref: 'shipments' },
      actions: [{ type: 'add_segment', params: { segment: 'seen' } }],
    },
  ],
  timeline: ['GET', `/orders/${order}/timeline`],
  findByNumber: found('n1'),
  findByTrackingNumber: found('1Z-t1-1'),
  findByCustomer: found('somebody'),
  findClaim: found(claim),
});
