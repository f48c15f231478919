import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ShipmentEventName } from '#schemas/catalogues/shipment-events.ts';
import { testDynamoDb } from '#test/kit/dynamodb.ts';
import { type RunningService, startService } from '#test/kit/service.ts';

type Upsert = typeof import('#domain/orders/upsert.ts').upsert;
type Record = typeof import('#domain/orders/record-event.ts').record;

let service: RunningService;
let domain: {
  upsert: Upsert;
  record: Record;
  byNumber: typeof import('#domain/orders/tracking-references.ts').findTrackings;
  byId: typeof import('#domain/orders/record-event.ts').byId;
  load: (slug: string, number: string) => Promise<import('#domain/orders/order-store.ts').Loaded | undefined>;
  state: typeof import('#domain/orders/order-rules.ts').orderState;
  current: typeof import('#domain/orders/shipment-rules.ts').currentEvent;
};

/** On DynamoDB Local a sequence takes five times as long, and sends the same kinds of requests as the ones before it. */
const runs = (count: number) => ({ numRuns: testDynamoDb() === undefined ? count : count / 5 });

/** The domain on a real table without HTTP, so that hundreds of sequences take seconds. */
beforeAll(async () => {
  service = await startService();
  const { endpoint, region, credentials } = service.stack.clientConfig;
  Object.assign(process.env, {
    TABLE_NAME: service.tableName,
    AWS_REGION: region,
    AWS_ENDPOINT_URL: endpoint,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  });
  const [upserting, recording, references, store, rules, events] = await Promise.all([
    import('#domain/orders/upsert.ts'),
    import('#domain/orders/record-event.ts'),
    import('#domain/orders/tracking-references.ts'),
    import('#domain/orders/order-store.ts'),
    import('#domain/orders/order-rules.ts'),
    import('#domain/orders/shipment-rules.ts'),
  ]);
  domain = {
    upsert: upserting.upsert,
    record: recording.record,
    byNumber: references.findTrackings,
    byId: recording.byId,
    load: async (slug, number) => {
      const id = await store.findOrderId(slug, number, 'order_number');
      return id === undefined ? undefined : store.loadOrder(slug, id);
    },
    state: rules.orderState,
    current: events.currentEvent,
  };
});
afterAll(() => service?.stop());

const numbers = ['1', '2', '3', '4', '5'];
const names = [
  'IN_DELIVERY',
  'SHIPMENT_EN_ROUTE',
  'SUCCESSFULLY_DELIVERED',
  'ORDER_PROCESSED',
  'ORDER_CANCELLED',
] as const;

type Step =
  | { kind: 'upsert'; name: string | undefined; expected: number | undefined; trackings: string[] }
  | { kind: 'fulfil'; trackings: string[] }
  | { kind: 'event'; tracking: string; event: ShipmentEventName; minute: number };

const trackings = fc.array(fc.constantFrom(...numbers), { maxLength: 3 });
const steps = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('upsert' as const),
      name: fc.option(fc.constantFrom('A', 'B'), { nil: undefined }),
      expected: fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined }),
      trackings,
    }),
    fc.record({ kind: fc.constant('fulfil' as const), trackings }),
    fc.record({
      kind: fc.constant('event' as const),
      tracking: fc.constantFrom(...numbers),
      event: fc.constantFrom(...names),
      minute: fc.integer({ min: 0, max: 5 }),
    }),
  ),
  { minLength: 1, maxLength: 12 },
);

const timeOf = (minute: number) => new Date(Date.UTC(2026, 10, 14, 12, minute)).toISOString();
const placedAt = timeOf(2);

/** The same order in a simple model. */
class Model {
  exists = false;
  name: string | undefined;
  expected = 1;
  drafts = 0;
  events = new Map<string, Set<string>>();

  apply(step: Step): void {
    if (step.kind === 'event') {
      this.events.get(step.tracking)?.add(`${timeOf(step.minute)} ${step.event}`);
      return;
    }
    if (step.kind === 'fulfil' && !this.exists) return;
    if (step.kind === 'upsert') this.change(step.name, step.expected);
    for (const number of new Set(step.trackings)) {
      if (this.events.has(number)) continue;
      this.events.set(number, new Set([`${placedAt} ORDER_PROCESSED`]));
      this.drafts = Math.max(0, this.drafts - 1);
    }
  }

  change(name: string | undefined, expected: number | undefined): void {
    this.name = name ?? this.name;
    const wanted = expected ?? this.expected;
    if (!this.exists || wanted !== this.expected) this.drafts = Math.max(0, wanted - this.events.size);
    this.expected = wanted;
    this.exists = true;
  }

  get state(): string {
    if (this.events.size === 0) return 'placed';
    return this.drafts === 0 ? 'fulfilled' : 'partially_fulfilled';
  }

  /** The carrier's newest event, or else the shop's newest report. */
  newestTime(number: string): string {
    const all = [...this.events.get(number)!];
    const carriers = all.filter((event) => !event.endsWith('ORDER_PROCESSED'));
    return (carriers.length > 0 ? carriers : all).sort().at(-1)!.split(' ')[0]!;
  }
}

let count = 0;

test('any sequence of upserts, fulfilments and events leaves the same order as a simple model', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const shop = { slug: `model-${++count}`, uuid: '01930000-0000-7000-8000-000000000000' };
      const model = new Model();
      for (const [i, step] of sequence.entries()) {
        await play(shop, step, new Date(Date.UTC(2026, 10, 15, 0, i)));
        model.apply(step);
      }
      expect(await stored(shop.slug)).toEqual(expectation(model));
    }),
    runs(40),
  );
});

test('events in any order of arrival leave the same shipment', async () => {
  const event = fc.record({ event: fc.constantFrom(...names), minute: fc.integer({ min: 0, max: 5 }) });
  const shuffled = fc
    .uniqueArray(event, { minLength: 2, maxLength: 6, selector: ({ event: name, minute }) => `${name}${minute}` })
    .chain((events) => fc.tuple(fc.constant(events), fc.shuffledSubarray(events, { minLength: events.length })));
  await fc.assert(
    fc.asyncProperty(shuffled, async (orders) => {
      const results: unknown[] = [];
      for (const events of orders) {
        const shop = { slug: `order-${++count}`, uuid: '01930000-0000-7000-8000-000000000000' };
        await play(shop, { kind: 'upsert', name: undefined, expected: 1, trackings: ['1'] }, new Date());
        for (const { event: name, minute } of events) {
          await play(shop, { kind: 'event', tracking: '1', event: name, minute }, new Date());
        }
        const { shipments } = (await domain.load(shop.slug, 'N'))!;
        const [{ events: kept }] = shipments as [(typeof shipments)[0]];
        results.push({ kept, current: domain.current(kept) });
      }
      expect(results[1]).toEqual(results[0]);
    }),
    runs(15),
  );
});

async function play(shop: { slug: string; uuid: string }, step: Step, now: Date): Promise<void> {
  if (step.kind === 'event') {
    const [found] = await domain.byNumber(shop.slug, step.tracking);
    if (!found) return;
    const event = { event_name: step.event, time: timeOf(step.minute) };
    await domain.record(shop, found.order_id, domain.byId(found.shipment_id), [{ event }], { notify: true, now });
    return;
  }
  const items = step.trackings.map((tracking_number) => ({ tracking_number, tracking_placed_at: placedAt }));
  const order = step.kind === 'upsert' ? fields(step) : undefined;
  const upserting = domain.upsert(
    shop,
    { id: 'N', id_type: 'order_number', ...(order && { order }), trackings: items },
    now,
  );
  await upserting.catch((error: { key?: string }) => {
    if (error.key !== 'order_not_found') throw error;
  });
}

const fields = ({ name, expected }: { name: string | undefined; expected: number | undefined }) => ({
  ...(name !== undefined && { order_name: name }),
  ...(expected !== undefined && { expected_number_of_shipments: expected }),
});

async function stored(slug: string) {
  const fullOrder = await domain.load(slug, 'N');
  if (!fullOrder) return undefined;
  return {
    name: fullOrder.order.order_name,
    drafts: fullOrder.order.drafts.length,
    state: domain.state(fullOrder),
    shipments: Object.fromEntries(
      fullOrder.shipments.map(({ tracking_number, events }) => [
        tracking_number,
        {
          events: events
            .filter(({ event_name }) => event_name !== 'ORDER_CREATED')
            .map((e) => `${e.time} ${e.event_name}`)
            .sort(),
          newest: domain.current(events).time,
        },
      ]),
    ),
  };
}

function expectation(model: Model) {
  if (!model.exists) return undefined;
  return {
    name: model.name,
    drafts: model.drafts,
    state: model.state,
    shipments: Object.fromEntries(
      [...model.events].map(([number, events]) => [
        number,
        { events: [...events].sort(), newest: model.newestTime(number) },
      ]),
    ),
  };
}
