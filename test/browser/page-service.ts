import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { expect, vi } from 'vitest';
import type { Phase, ShipmentEventName } from '#schemas/catalogues/shipment-events.ts';
import type { CarrierUpdate } from '#schemas/shapes/carrier-updates.ts';
import { clientOf } from '#test/e2e/kit/client.ts';
import { wholeImages } from '#test/kit/images.ts';
import { type SharedService, sharedService } from './shared-stack.ts';

/** The shared service, and a server with the images of its shops on another origin. */
export async function sharedPages() {
  const service = sharedService();
  const sqs = new SQSClient(service.clientConfig);
  const images = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'image/png' }).end(wholeImages.png);
  });
  await new Promise<void>((resolve) => images.listen(0, '127.0.0.1', resolve));
  const imageHost = `http://127.0.0.1:${(images.address() as AddressInfo).port}`;
  const stop = () => {
    sqs.destroy();
    images.close();
    images.closeAllConnections();
  };
  return { service, url: service.url, imageHost, newShop: shopMaker(service, sqs, imageHost), stop };
}

export type PageService = Awaited<ReturnType<typeof sharedPages>>;
export type PageShop = Awaited<ReturnType<PageService['newShop']>>;

/** The event that leads to each phase. A return has its own parcel. */
const eventsByPhase: Record<Phase, ShipmentEventName> = {
  order_created: 'ORDER_CREATED',
  order_processed: 'ORDER_PROCESSED',
  order_cancelled: 'ORDER_CANCELLED',
  in_transit: 'SHIPMENT_EN_ROUTE',
  in_delivery: 'OUT_FOR_DELIVERY',
  collect: 'ARRIVED_AT_PARCEL_SHOP',
  delivered: 'SUCCESSFULLY_DELIVERED',
  delivery_failed: 'DELIVERY_ATTEMPTED_ADDRESS_COULD_NOT_BE_FOUND',
  return_created: 'ORDER_PROCESSED',
  return_transit: 'SHIPMENT_RETURNING_TO_SENDER',
  returned: 'SHIPMENT_RETURNED_TO_SENDER',
  return_received: 'RETURN_TO_SENDER_COMPLETED',
  return_failed: 'RETURN_TO_SENDER_FAILED',
};

const journey: [ShipmentEventName, string, string][] = [
  ['PARCEL_DATA_SUBMITTED_TO_CARRIER', 'Hamburg', 'DE'],
  ['PICKUP_SUCCESSFUL', 'Hamburg', 'DE'],
  ['ARRIVED_AT_SORTING_CENTER', 'Hamburg', 'DE'],
  ['SCANNED_AT_PROCESSING_CENTER', 'Hamburg', 'DE'],
  ['DISPATCHED_FROM_SORTING_CENTER', 'Hamburg', 'DE'],
  ['ARRIVAL_AT_TRANSPORT_HUB', 'Nürnberg', 'DE'],
  ['DEPARTURE_FROM_TRANSPORT_HUB', 'Nürnberg', 'DE'],
  ['ARRIVAL_AT_FINAL_DELIVERY_CENTER', 'München', 'DE'],
];

const hour = 3_600_000;

interface OrderOptions {
  phase: Phase;
  /** Fields of the order, instead of the usual ones. */
  order?: object;
  trackingFields?: object;
  updateFields?: object;
  /** More parcels on their way. */
  parcels?: number;
}

function shopMaker(service: SharedService, sqs: SQSClient, imageHost: string) {
  const api = clientOf(service.url);
  const key = `${service.operator.username}:${service.operator.secret}`;
  const call = async (method: string, path: string, body?: unknown, statuses = [200, 201, 204]) => {
    const answer = await api(method, path, { key, ...(body !== undefined && { body }) });
    expect(statuses, `${method} ${path}: ${answer.text.slice(0, 400)}`).toContain(answer.status);
    return answer.body;
  };

  return async (fields: object = {}, palette: object = {}) => {
    const slug = `shop-${randomUUID()}`;
    const base = `/v1/shops/${slug}`;
    await call('POST', '/v1/shops', {
      name: 'Nordlicht Outdoor',
      slug,
      logo_url: `${imageHost}/logo.png`,
      shop_url: 'https://shop.example',
      shop_service_url: 'https://shop.example/service',
      shop_faq_url: 'https://shop.example/faq',
      settings: { carriers_enabled: true },
      ...fields,
    });
    await call('PATCH', `${base}/settings/tracking-page`, {
      support_url: 'https://shop.example/help',
      privacy_url: 'https://shop.example/privacy',
      imprint_url: 'https://shop.example/imprint',
    });
    if (Object.keys(palette).length > 0) await call('PATCH', `${base}/settings/brand-palette`, palette);

    const send = async (updates: readonly CarrierUpdate[]) => {
      const Entries = updates.map((update, i) => ({ Id: String(i), MessageBody: JSON.stringify(update) }));
      const QueueUrl = service.outputs.CarrierUpdatesQueueUrl!;
      await sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    };

    const facts = async (token: string) => (await api('GET', `/v1/tracking/${token}`)).body;

    /** Makes an order whose first parcel is in the phase, and returns the token of its page. */
    const orderIn = async (options: OrderOptions): Promise<string> => {
      const { phase, parcels = 0 } = options;
      const number = randomUUID();
      const isDraft = phase === 'order_created' || phase === 'return_created';
      const placedAt = new Date(Date.now() - 70 * hour).toISOString();
      const trackings = isDraft
        ? []
        : [
            {
              tracking_number: number,
              tracking_placed_at: placedAt,
              carrier_reference: 'dhl',
              ...options.trackingFields,
            },
          ];
      const others = Array.from({ length: parcels }, (_, i) => ({
        tracking_number: `${number}-${i + 2}`,
        tracking_placed_at: placedAt,
        carrier_reference: 'dhl',
      }));
      const body = {
        id: `N-${number.slice(0, 8)}`,
        order: {
          email_id: 'ada@example.com',
          order_placed_at: placedAt,
          address: { name: 'Ada Customer', street: 'Secret Street 1', zip_code: '80331', city: 'München' },
          expected_number_of_shipments: phase === 'return_created' ? 0 : 1 + parcels,
          products: [
            {
              title: 'Rain jacket Fjord',
              sku: 'FJORD-M',
              quantity: 1,
              price: 199.95,
              images: [{ src: `${imageHost}/jacket.png` }],
            },
            { title: 'Hiking boots', sku: 'BOOTS-39', quantity: 2, price: 128.95 },
          ],
          ...options.order,
        },
        trackings: [...trackings, ...others],
      };
      const order = await call('PUT', `${base}/orders`, body);
      const [shown] = await call('GET', `${base}/orders?order_number=${body.id}`);
      const token = new URL((order?.tracking_page_url ?? shown.tracking_page_url) as string).pathname
        .split('/')
        .at(-1)!;
      if (phase === 'return_created') {
        await call('POST', `${base}/shipments`, {
          order_id: body.id,
          order_id_type: 'order_number',
          tracking_number: number,
          direction: 'customer_merchant',
        });
      } else if (phase !== 'order_created' && phase !== 'order_processed') await travel(number, options);
      await vi.waitFor(
        async () =>
          expect((await facts(token)).parcels.map((parcel: { phase: string }) => parcel.phase)).toContain(phase),
        {
          timeout: 20_000,
          interval: 50,
        },
      );
      return token;
    };

    const travel = async (number: string, { phase, updateFields = {} }: OrderOptions) => {
      const start = Date.now() - 60 * hour;
      const place = (city: string, country_code: string) => ({ city, country_code, timezone: 'Europe/Berlin' });
      const updates = journey.map(
        ([event_name, city, country], i): CarrierUpdate => ({
          tracking_number: number,
          event_name,
          event_time: new Date(start + i * 7 * hour).toISOString(),
          timezone: 'Europe/Berlin',
          location: place(city, country),
        }),
      );
      const tomorrow = new Date(Date.now() + 24 * hour).toISOString().slice(0, 10);
      await send([
        ...(phase === 'order_cancelled' ? [] : updates),
        {
          tracking_number: number,
          event_name: eventsByPhase[phase],
          event_time: new Date(Date.now() - hour).toISOString(),
          timezone: 'Europe/Berlin',
          location: place('München', 'DE'),
          ...((phase === 'in_transit' || phase === 'in_delivery') && {
            expected_delivery: { start: `${tomorrow}T10:00:00+01:00`, end: `${tomorrow}T12:00:00+01:00` },
          }),
          ...(phase === 'collect' && {
            pickup: {
              type: 'parcel_shop',
              name: 'Kiosk am Markt',
              address: { street: 'Marktplatz 3', zip_code: '80331', city: 'München', country_code: 'DE' },
              url: 'https://carrier.example/shop/3',
              opening_hours: { 'Mo–Fr': '08:00–20:00', Sa: '09:00–16:00' },
              date_to: new Date(Date.now() + 5 * 24 * hour).toISOString(),
            },
          }),
          ...updateFields,
        },
      ]);
    };

    return { slug, base, call, facts, orderIn };
  };
}
