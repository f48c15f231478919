import { bandLevels, packBands } from '#domain/arrival/prediction.ts';
import { type Claim, deleted, newClaim, updated } from '#domain/claims/claim-rules.ts';
import { claimItem } from '#domain/claims/claim-store.ts';
import { erasedOrder, erasedShipment } from '#domain/orders/erased-order.ts';
import { cohortOf, countedByCountry, shippedAt } from '#domain/orders/handed-over.ts';
import type { Order, Shipment, ShipmentEvent } from '#domain/orders/model.ts';
import { type StoredItem, shipmentItem } from '#domain/orders/order-items.ts';
import { changedOrder, fulfil, newOrder, nextSlot, withoutShipment, withShipment } from '#domain/orders/order-rules.ts';
import { actionsOf, type Loaded, type OrderChange, referenceItems } from '#domain/orders/order-store.ts';
import { type Fulfilment, fulfilled, inOrder, newShipment, reported } from '#domain/orders/shipment-rules.ts';
import { keyOf } from '#platform/table/keys.ts';
import { type Key, keyText } from '#platform/table/reads.ts';
import { dayAfter } from '#platform/time.ts';
import { carrierNames } from '#schemas/catalogues/carriers.ts';
import { claimTransitions } from '#schemas/catalogues/enumerations.ts';
import { type ShipmentEventName, shipmentEventNames } from '#schemas/catalogues/shipment-events.ts';
import { partitions } from '#schemas/catalogues/table.ts';
import type { OrderInput } from '#schemas/shapes/order-shapes.ts';
import type { Random } from '#test/fuzz/random.ts';
import { type Wire, wireOf } from './wire.ts';

/**
 * Shops to which everything happens that can happen to orders, parcels and claims, by the rules of the service: events come
 * late, twice and out of turn, what was told is corrected and taken back, parcels and orders are deleted. It says what each
 * write changed, as the stream does.
 */

/** An item before and after a write, as it is sent. */
export interface Change extends Key {
  before: Wire | undefined;
  after: Wire | undefined;
  at: Date;
}

export interface WorldOptions {
  shops: readonly string[];
  begin: Date;
  days: number;
  /** How many things happen in these days. */
  events: number;
  /** What does not happen. */
  without?: readonly Happening[];
}

interface MadeOrder {
  slug: string;
  loaded: Loaded;
  claims: readonly { claim: Claim; version: number }[];
}

const dayMs = 24 * 3600 * 1000;

/** What can happen, and how often it does. */
const happenings = [
  ['order', 9],
  ['parcel', 12],
  ['report', 45],
  ['repeatedReport', 6],
  ['redatedEvent', 4],
  ['takenBackEvent', 2],
  ['otherCarrier', 2],
  ['changedOrder', 6],
  ['writtenAgain', 3],
  ['deletedParcel', 2],
  ['deletedOrder', 1],
  ['erasedOrder', 0.5],
  ['claim', 4],
  ['changedClaim', 3],
  ['deletedClaim', 1.5],
] as const;
export type Happening = (typeof happenings)[number][0];

const usualEvents: readonly (readonly [ShipmentEventName, number])[] = [
  ['SHIPMENT_EN_ROUTE', 30],
  ['IN_DELIVERY', 10],
  ['SUCCESSFULLY_DELIVERED', 12],
  ['DELIVERY_ATTEMPTED_RECIPIENT_NOT_AT_HOME', 4],
  ['SHIPMENT_UPDATED_ETA', 5],
  ['SHIPMENT_LOST', 1],
  ['SHIPMENT_RETURNING_TO_SENDER', 1],
  ['ORDER_CANCELLED', 1],
];

const countries = ['DE', 'AT', 'FR', 'de', 'Germany', undefined];
const carriers = [...Object.keys(carrierNames).slice(0, 4), 'nobody knows', null];

export class MadeWorld {
  /** How often each thing happened. */
  readonly happened = new Map<string, number>();
  /** The parcels that the release before wrote first. */
  readonly older = new Set<string>();
  readonly #random: Random;
  readonly #options: WorldOptions;
  /** As the table has them. */
  readonly #items = new Map<string, Wire>();
  /** Orders to which something may still happen. */
  readonly #orders: MadeOrder[] = [];
  readonly #maxOrders: number;
  /** Few, so that many of them order again. */
  readonly #customers: number;
  readonly #happenings: readonly (readonly [Happening, number])[];
  #changes: Change[] = [];
  #now: number;
  #count = 0;

  constructor(random: Random, options: WorldOptions) {
    this.#random = random;
    this.#options = options;
    this.#maxOrders = Math.min(20_000, options.events / 40);
    this.#customers = Math.ceil(options.events / 40);
    this.#happenings = happenings.filter(([name]) => !options.without?.includes(name));
    this.#now = options.begin.getTime();
  }

  get now(): Date {
    return new Date(this.#now);
  }

  /** All that is stored. */
  get items(): Iterable<Wire> {
    return this.#items.values();
  }

  /** The next thing happens. Returns what it changed. */
  happen(): Change[] {
    const { days, events } = this.#options;
    this.#now += Math.ceil((this.#random.number() * 2 * days * dayMs) / events);
    this.#changes = [];
    // Some things cannot happen to the order that they come to.
    while (this.#changes.length === 0) {
      const name = this.#orders.length < 10 ? 'order' : this.#random.weighted(this.#happenings);
      this[name](this.#random.pick(this.#orders));
      if (this.#changes.length > 0) this.happened.set(name, (this.happened.get(name) ?? 0) + 1);
    }
    return this.#changes;
  }

  order(): void {
    const input = {
      ...this.#customer(),
      order_number: String(++this.#count),
      order_placed_at: this.#placedAt(),
      expected_number_of_shipments: this.#random.between(0, 3),
      address: this.#address(),
    };
    const order = newOrder(this.#orderId(), input, this.now);
    const made: MadeOrder = {
      slug: this.#random.pick(this.#options.shops),
      loaded: { order, shipments: [], version: 0, versions: new Map() },
      claims: [],
    };
    this.#save(made, { order: this.#random.chance(0.04) ? { ...order, simulation_id: 'simulation' } : order });
    if (this.#orders.length < this.#maxOrders) this.#orders.push(made);
    else this.#orders[this.#random.below(this.#orders.length)] = made;
  }

  parcel(made: MadeOrder): void {
    const { order } = made.loaded;
    if (order.next_slot > 12) return;
    const at = this.now.toISOString();
    if (this.#random.chance(0.1)) {
      const back = fulfilled(newShipment(order, nextSlot(order), 'customer_merchant', at), this.#fulfilment(), at);
      this.#save(made, { order: withShipment(order, back), shipments: [back] });
      return;
    }
    const sent = fulfil(made.loaded, order, [{ ...this.#fulfilment(), products: undefined }], at);
    if (this.#random.chance(0.05)) this.#saveAsBefore(made, sent.order, sent.shipments[0]!);
    else this.#save(made, sent);
  }

  report(made: MadeOrder): void {
    const isUsual = this.#random.chance(0.85);
    const event_name = isUsual ? this.#random.weighted(usualEvents) : this.#random.pick(shipmentEventNames);
    const lateDays = this.#random.weighted([
      [0.5, 60],
      [5, 30],
      [40, 9],
      [-1, 1],
    ]);
    const event = { event_name, time: this.#before(lateDays) };
    const end = this.#before(this.#random.between(-6, 2));
    const start = this.#random.chance(0.5) ? this.#before(this.#random.between(-4, 3)) : null;
    const report = { event, ...(this.#random.chance(0.25) && { expected_delivery: { start, end } }) };
    this.#changeParcel(made, (shipment) => {
      const told = reported(shipment, report, this.now.toISOString()).shipment;
      return this.#random.chance(0.4) ? this.#predicted(told) : told;
    });
  }

  /** The window of now changes with what is known, and what was said first stays. */
  #predicted(shipment: Shipment): Shipment {
    const since = shippedAt(shipment)?.slice(0, 10);
    if (since === undefined) return shipment;
    const from = this.#random.between(0, 3);
    const window = `${from}-${from + this.#random.between(0, 6)}`;
    const bands = bandLevels.map((_, i) => ({ from: dayAfter(since, from), to: dayAfter(since, from + i) }));
    const first = this.#random.chance(0.8) ? { window, first: window } : {};
    const before = shipment.prediction ?? { since, bands: packBands(bands, since), ...first };
    return { ...shipment, prediction: this.#random.chance(0.5) ? { ...before, window } : before };
  }

  /** A known event comes again, perhaps with more to say. */
  repeatedReport(made: MadeOrder): void {
    this.#changeParcel(made, (shipment) => {
      const event = { ...this.#random.pick(shipment.events), external_id: this.#random.pick(['a', 'bb', null]) };
      return { ...reported(shipment, { event }, this.now.toISOString(), true).shipment };
    });
  }

  redatedEvent(made: MadeOrder): void {
    this.#changeEvents(made, (events, one) => {
      const time = new Date(Date.parse(one.time) + this.#random.between(-72, 72) * 3_600_000).toISOString();
      return [...events.filter((event) => event !== one), { ...one, time }].sort(inOrder);
    });
  }

  takenBackEvent(made: MadeOrder): void {
    this.#changeEvents(made, (events, one) => (events.length > 1 ? events.filter((event) => event !== one) : events));
  }

  otherCarrier(made: MadeOrder): void {
    const { placed_at: _, ...carrier } = this.#fulfilment();
    this.#changeParcel(made, (shipment) => ({ ...shipment, ...carrier }));
  }

  deletedParcel(made: MadeOrder): void {
    const shipment = this.#random.pick(made.loaded.shipments);
    if (!shipment) return;
    const { order, draft } = withoutShipment(made.loaded, shipment, this.now.toISOString());
    // A new parcel may take its place, and its id.
    this.older.delete(shipment.uuid);
    this.#save(made, { order, shipments: draft ? [draft] : [], removed: [shipment] });
  }

  deletedOrder(made: MadeOrder): void {
    const { slug, loaded, claims } = made;
    const { uuid } = loaded.order;
    const keys = [
      ...claims.map(({ claim }) => keyOf.claim(slug, uuid, claim.uuid)),
      ...loaded.shipments.map((shipment) => keyOf.shipment(slug, uuid, shipment.uuid)),
      ...referenceItems(slug, loaded.order),
      keyOf.order(slug, uuid),
    ];
    for (const key of keys) this.#remove(key);
    this.#orders.splice(this.#orders.indexOf(made), 1);
  }

  changedOrder(made: MadeOrder): void {
    const { order } = made.loaded;
    if (order.erased_at !== undefined) return;
    const input: OrderInput = {
      ...(this.#random.chance(0.5) && { order_placed_at: this.#placedAt() }),
      ...(this.#random.chance(0.5) && { address: this.#address() }),
      ...(this.#random.chance(0.1) && this.#customer()),
      ...(this.#random.chance(0.2) && { expected_number_of_shipments: this.#random.between(0, 4) }),
    };
    const parcel = this.#random.chance(0.5) ? this.#random.pick(made.loaded.shipments) : undefined;
    this.#save(made, { order: changedOrder(made.loaded, input, this.now), shipments: parcel ? [parcel] : [] });
  }

  /** As an update by a merchant does that says nothing new. */
  writtenAgain(made: MadeOrder): void {
    this.#save(made, { order: made.loaded.order, shipments: made.loaded.shipments });
  }

  erasedOrder(made: MadeOrder): void {
    if (made.loaded.order.erased_at !== undefined) return;
    const order = erasedOrder(made.loaded.order, { at: this.now.toISOString(), by: 'somebody' });
    this.#save(made, { order, shipments: made.loaded.shipments.map(erasedShipment) });
  }

  claim(made: MadeOrder): void {
    const shipment = this.#random.pick(made.loaded.shipments);
    if (!shipment) return;
    const pictures = { image_urls: [], optional_image_urls: [] };
    const input = { reason: 'damage', selected_items: [], damaged_product_items: [], ...pictures } as const;
    const claim = newClaim(this.#random.uuid(), input as never, shipment, this.now.toISOString());
    if (this.#random.chance(0.05)) this.#putClaim(made, claim, 1);
    else this.#saveClaim(made, claim, 1);
  }

  changedClaim(made: MadeOrder): void {
    const one = this.#someClaim(made);
    const next = one ? claimTransitions[one.claim.status] : [];
    if (!one || next.length === 0) return;
    const step = updated(one.claim, { status: this.#random.pick(next) }, this.now.toISOString());
    if (step) this.#saveClaim(made, step.claim, one.version + 1);
  }

  deletedClaim(made: MadeOrder): void {
    const one = this.#someClaim(made);
    if (one) this.#saveClaim(made, deleted(one.claim, this.now.toISOString()).claim, one.version + 1);
  }

  #someClaim({ claims }: MadeOrder) {
    const open = claims.filter(({ claim }) => claim.deleted_at === null);
    return open.length > 0 ? this.#random.pick(open) : undefined;
  }

  #saveClaim(made: MadeOrder, claim: Claim, version: number): void {
    const shipment = made.loaded.shipments.find(({ uuid }) => uuid === claim.shipment_id);
    this.#putClaim(made, { cohort: (shipment && cohortOf(shipment)) ?? null, ...claim }, version);
  }

  /** As the release before did: it did not say with which parcels a claim is counted. */
  #putClaim(made: MadeOrder, claim: Claim, version: number): void {
    this.#put(claimItem(made.slug, claim, version));
    made.claims = [...made.claims.filter((one) => one.claim.uuid !== claim.uuid), { claim, version }];
  }

  #changeEvents(made: MadeOrder, change: (events: ShipmentEvent[], one: ShipmentEvent) => ShipmentEvent[]): void {
    this.#changeParcel(made, (shipment) => ({
      ...shipment,
      events: change(shipment.events, this.#random.pick(shipment.events)),
    }));
  }

  #changeParcel(made: MadeOrder, change: (shipment: Shipment) => Shipment): void {
    const shipment = this.#random.pick(made.loaded.shipments);
    const after = shipment && change(shipment);
    if (after !== shipment) this.#save(made, { shipments: [after!] });
  }

  /** Writes what the store would write of the order and its parcels. */
  #save(made: MadeOrder, change: Pick<OrderChange, 'order' | 'shipments' | 'removed'>): void {
    const { slug, loaded } = made;
    const before = loaded.version === 0 ? undefined : loaded;
    const actions = actionsOf({ shop: { slug, uuid: slug }, before, ...change, now: this.now.toISOString() });
    const isOfOrder = ({ pk }: Key) => pk.startsWith(partitions.order) || pk.startsWith(partitions.orderReference);
    const puts = actions.flatMap(({ Put }) => (Put && isOfOrder(Put.Item as never) ? [Put.Item as StoredItem] : []));
    for (const item of puts) this.#put(item);
    for (const { Delete } of actions) if (Delete && isOfOrder(Delete.Key as never)) this.#remove(Delete.Key as never);
    // Reading them back would take half of the time.
    const order = change.order ?? loaded.order;
    const stored = new Map(loaded.shipments.map((shipment) => [shipment.uuid, shipment]));
    const written = change.shipments?.map((shipment) => countedByCountry(shipment, order, stored.get(shipment.uuid)));
    this.#remember(made, { ...change, shipments: written ?? [] });
  }

  /** A parcel as the release before wrote it: it says nothing of a country, so nothing ever counts it. */
  #saveAsBefore(made: MadeOrder, order: Order, parcel: Shipment): void {
    // It may have been a draft that this release had written.
    const { country: _, area: __, ...shipment } = parcel;
    this.#save(made, { order });
    this.older.add(shipment.uuid);
    this.#put(shipmentItem(made.slug, shipment, (made.loaded.versions.get(shipment.uuid) ?? 0) + 1));
    this.#remember(made, { shipments: [shipment] });
  }

  #remember(
    made: MadeOrder,
    { order, shipments = [], removed = [] }: Pick<OrderChange, 'order' | 'shipments' | 'removed'>,
  ) {
    const { loaded } = made;
    const changed = new Set([...shipments, ...removed].map(({ uuid }) => uuid));
    const versions = shipments.map(({ uuid }) => [uuid, (loaded.versions.get(uuid) ?? 0) + 1] as const);
    made.loaded = {
      order: order ?? loaded.order,
      version: loaded.version + Number(order !== undefined),
      shipments: [...loaded.shipments.filter(({ uuid }) => !changed.has(uuid)), ...shipments],
      versions: new Map([...loaded.versions, ...versions]),
    };
  }

  #put(item: object): void {
    const { pk, sk } = item as Key;
    this.#change({ pk, sk }, wireOf(item));
  }

  #remove({ pk, sk }: Key): void {
    this.#change({ pk, sk }, undefined);
  }

  #change(key: Key, after: Wire | undefined): void {
    const id = keyText(key);
    const before = this.#items.get(id);
    if (after) this.#items.set(id, after);
    else this.#items.delete(id);
    if (before || after) this.#changes.push({ ...key, before, after, at: this.now });
  }

  /** A time so many days ago, at most. */
  #before(days: number): string {
    return new Date(this.#now - this.#random.number() * days * dayMs).toISOString();
  }

  /** Also the day after tomorrow, and what no figure has any more. */
  #placedAt(): string {
    return this.#before(
      this.#random.weighted([
        [3, 80],
        [60, 10],
        [1000, 5],
        [-2, 5],
      ]),
    );
  }

  #address() {
    const country_code = this.#random.pick(countries);
    return {
      name: 'Ada Berg',
      zip_code: this.#random.pick(['20095', 'SW1A 1AA', 'Ä1', '']),
      ...(country_code !== undefined && { country_code }),
    } as never;
  }

  #customer() {
    const id = this.#random.below(this.#customers);
    const segments = this.#random.pick([['vip'], [], undefined]);
    const given = segments && { segments };
    return this.#random.pick([
      { ...given, email_id: `c${id}@example.com` },
      { ...given, email_id: `C${id}@Example.com`, external_customer_id: `c-${id}` },
      { ...given, external_customer_id: `c-${id}` },
      { ...given },
    ]);
  }

  #fulfilment(): Fulfilment {
    return {
      tracking_number: `T${++this.#count}`,
      carrier_reference: this.#random.pick(carriers),
      tracking_url: null,
      placed_at: this.#before(2),
    };
  }

  /** Begins with its time, as ids of orders do. */
  #orderId(): string {
    const time = this.#now.toString(16).padStart(12, '0');
    const rest = this.#random.bytes(8).toString('hex');
    return `${time.slice(0, 8)}-${time.slice(8)}-7${rest.slice(0, 3)}-8${rest.slice(3, 6)}-${rest.slice(6, 15)}000`;
  }
}
