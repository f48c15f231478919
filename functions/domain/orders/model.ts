import { v7 as uuidv7 } from 'uuid';
import type { StoredPrediction } from '#domain/arrival/prediction.ts';
import type { Direction, ShipmentEventName } from '#schemas/catalogues/shipment-events.ts';
import type {
  AdditionalInfo,
  Address,
  ExpectedDelivery,
  Location,
  OrderInput,
  Pickup,
  Product,
  ShipmentFields,
} from '#schemas/shapes/order-shapes.ts';

/** The order and its parcels as plain values, without storage. */

/** The fields of a shop that orders and events contain. */
export interface ShopIdentity {
  slug: string;
  uuid: string;
  /** Its own system may tell of its orders, too. */
  shop_provider?: string | null;
}

/** An expected parcel without events. It is stored only as a line in its order. */
export interface Draft {
  slot: number;
  created_at: string;
}

/**
 * An outgoing event that travelled in the item of an order or shipment, in the write that caused it. The item remembers it
 * for as long as the outbox keeps others.
 */
export interface EnclosedEvent {
  event_name: ShipmentEventName;
  /** When it happened. */
  time: string;
  triggered_at: string;
  // Few bytes decide about a write unit, so what is usual is left out.
  /** Absent if the parcels go to the customer. */
  direction?: Direction;
  /** The shipments of the event. Absent if it is the one that has the event in its item. */
  slots?: number[];
}

export interface Order extends Omit<OrderInput, 'order_number' | 'external_id' | 'address'> {
  uuid: string;
  order_number: string;
  external_id: string;
  address?: Address;
  order_placed_at: string;
  expected_number_of_shipments: number;
  created_at: string;
  updated_at: string;
  drafts: Draft[];
  /** The slots of the shipments that have their own item. */
  shipments: number[];
  next_slot: number;
  /** Opens the tracking page of the order. Absent if the order was last written before there were such pages. */
  page_token?: string;
  /** The name of its customer under which a search finds it. Absent without a name, and before there were such entries. */
  listed_name?: string;
  /** The simulation that made the order. Nothing counts what its customer sees. */
  simulation_id?: string;
  /** Set if integrations get the events of a simulated order. */
  simulation_integrations?: true;
  /** Set if its customer gets e-mails although the order is simulated. */
  simulation_emails?: true;
  /**
   * The time of its newest fields: of the last state that the shop's own system sent (`Source.asOf`), or of a later change by
   * the merchant. Absent if that system never sent one.
   */
  told_at?: string | undefined;
  /** The fields that nobody gave so late, by the time at which somebody did (told.ts). */
  told_before?: Record<string, string[]> | undefined;
  /** The same before the shop's own system told of it: when the merchant last changed its fields. */
  said_at?: string | undefined;
  /** When the shop's own system cancelled it. Absent if it took that back. */
  cancelled_at?: string | undefined;
  /** When parcels with these numbers, as they are compared, were deleted. */
  removed?: Record<string, string>;
  /** What of it the shop's own system sent in a form that could not be read, in its words, and when that first came. */
  unread?: { at: string; field: string }[];
  /** Those of drafts, and those of shipments that were removed. */
  enclosed?: EnclosedEvent[];
  /** When the personal data of the order was erased. Nothing brings it back. */
  erased_at?: string;
  /** Who asked for that: the id of an API key, or the name of what else did. */
  erased_by?: string;
}

export interface ShipmentEvent {
  event_name: ShipmentEventName;
  /** UTC with milliseconds, so texts sort as times do. */
  time: string;
  timezone?: string | null;
  location?: Location | null;
  additional_info?: AdditionalInfo | null;
  external_id?: string | null;
  /** Set if nobody reported it: our own window has moved. */
  predicted?: true;
}

export type EventMoment = Pick<ShipmentEvent, 'event_name' | 'time'>;

export interface DeliveryPromise {
  /** As the carrier wrote it. Absent if it named none, or a release of before kept the promise. */
  start?: string;
  end: string;
  /** The event that named it. */
  event: EventMoment;
}

/** An item that is older than one of the `ShipmentFields` lacks it. */
export interface Shipment extends Partial<ShipmentFields> {
  uuid: string;
  order_id: string;
  order_number: string;
  tracking_number: string | null;
  carrier_reference: string | null;
  tracking_url: string | null;
  direction: Direction;
  external_shipment_id: string | null;
  /** Null means every product of the order. */
  products: Product[] | null;
  /** Sorted by time. */
  events: ShipmentEvent[];
  expected_delivery: ExpectedDelivery | null;
  pickup: Pickup | null;
  /** The events that expected delivery and pickup come from. An older event does not replace them. */
  forecast_by: EventMoment | null;
  pickup_by: EventMoment | null;
  /** Where it goes: two letters, or `-`. Absent if it had its number before parcels were counted by country: nothing counts it. */
  country?: string;
  /** The first letter or digit of the postcode that it goes to. Absent if that is not known. */
  area?: string;
  /** When we think that it arrives. Absent if it was never predicted. */
  prediction?: StoredPrediction;
  /** The first window that the carrier named. A later one does not replace it. */
  promise?: DeliveryPromise;
  /** The simulation that made its order. Nothing counts the shipment. */
  simulation_id?: string;
  enclosed?: EnclosedEvent[];
  created_at: string;
  updated_at: string;
}

export interface OrderWithShipments {
  order: Order;
  shipments: Shipment[];
}

export function withoutEnclosed<T extends Order | Shipment>({ enclosed: _, ...rest }: T): T {
  return rest as T;
}

/**
 * An order's uuid ends in 000, and its shipments have the same uuid with 001, 002, … at the end. So the uuid of a
 * shipment gives the uuid of its order, without an index or a second read. 62 random bits before the slot make orders
 * unique.
 */
export const lastSlot = 0xfff;

export const newOrderId = (now: Date): string => withSlot(uuidv7({ msecs: now.getTime() }), 0);

export const shipmentId = (orderId: string, slot: number): string => withSlot(orderId, slot);

export const orderIdOf = (shipmentId: string): string => withSlot(shipmentId.toLowerCase(), 0);

export const slotOf = (shipmentId: string): number => Number.parseInt(shipmentId.slice(-3), 16);

const withSlot = (uuid: string, slot: number) => uuid.slice(0, -3) + slot.toString(16).padStart(3, '0');
