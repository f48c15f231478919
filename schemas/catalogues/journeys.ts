import type { ShipmentEventName } from './shipment-events.ts';

/** What usually happens to parcels, as scripts that a simulation plays. Places, shops and people are invented. */

interface Place {
  city: string;
  country_code: string;
  timezone: string;
}

interface PickupPoint {
  type: string;
  name: string;
  address: { address_line_1: string; zip_code: string; city: string; country_code: string };
  opening_hours: Record<string, string>;
  /** How long the parcel waits there. */
  days: number;
}

export interface JourneyStep {
  event_name: ShipmentEventName;
  /** From the start of the simulation. */
  after_minutes: number;
  /** The number of the parcel in the order, 1 for the first. */
  parcel?: number;
  /** Whether the customer sends this parcel back. */
  is_return?: true;
  location?: Place;
  pickup?: PickupPoint;
  /** When the carrier now expects to deliver: days after the start. */
  arrives_in_days?: number;
  /** The same to the minute: minutes after the start. */
  arrives_between?: readonly [from: number, to: number];
}

export interface Journey {
  id: string;
  title: string;
  description: string;
  /** Where the parcels go. Default: Hamburg. */
  address?: Readonly<Record<'name' | 'address_line_1' | 'zip_code' | 'city' | 'country' | 'country_code', string>>;
  steps: readonly JourneyStep[];
}

/** The time of a step, from the start. */
const after = (days: number, hours: number, minutes = 0): number => (days * 24 + hours) * 60 + minutes;

const place = (city: string, country_code: string, timezone: string): Place => ({ city, country_code, timezone });
const leipzig = place('Leipzig', 'DE', 'Europe/Berlin');
const hanover = place('Hannover', 'DE', 'Europe/Berlin');
const hamburg = place('Hamburg', 'DE', 'Europe/Berlin');
const zurich = place('Zürich', 'CH', 'Europe/Zurich');
const basel = place('Basel', 'CH', 'Europe/Zurich');

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'];

const kiosk: PickupPoint = {
  type: 'parcel_shop',
  name: 'Kiosk am Hafen',
  address: { address_line_1: 'Kaistrasse 12', zip_code: '20459', city: 'Hamburg', country_code: 'DE' },
  opening_hours: {
    ...Object.fromEntries(weekdays.map((day) => [day, '08:00–19:00'])),
    Saturday: '09:00–14:00',
  },
  days: 7,
};

const step = (
  event_name: ShipmentEventName,
  after_minutes: number,
  more: Omit<JourneyStep, 'event_name' | 'after_minutes'> = {},
): JourneyStep => ({ event_name, after_minutes, ...more });

/** From the shop to the sorting centre near the customer: the same in most journeys. */
const toHamburg: readonly JourneyStep[] = [
  step('ORDER_PROCESSED', after(0, 4)),
  step('PARCEL_DATA_SUBMITTED_TO_CARRIER', after(0, 5), { arrives_in_days: 2 }),
  step('PICKUP_SUCCESSFUL', after(0, 9), { location: leipzig }),
  step('ARRIVED_AT_SORTING_CENTER', after(0, 15), { location: leipzig }),
  step('DISPATCHED_FROM_SORTING_CENTER', after(0, 21), { location: leipzig }),
];

const arrivedInHamburg = step('ARRIVAL_AT_FINAL_DELIVERY_CENTER', after(1, 8), {
  location: hamburg,
  arrives_in_days: 2,
});

/** On the way to the recipient on a day of the journey, who is told a window of so many hours. */
const outInHamburg = (day: number, hours = 2): JourneyStep =>
  step('OUT_FOR_DELIVERY', after(day - 1, 22), {
    location: hamburg,
    arrives_between: [after(day, 2), after(day, 2 + hours)],
  });

const inHamburg = (event_name: ShipmentEventName, after_minutes: number): JourneyStep =>
  step(event_name, after_minutes, { location: hamburg });

const deliveredInHamburg = (day: number): readonly JourneyStep[] => [
  outInHamburg(day),
  inHamburg('SUCCESSFULLY_DELIVERED', after(day, 3)),
];

const untilOut: readonly JourneyStep[] = [...toHamburg, arrivedInHamburg, outInHamburg(2)];

const untilDelivered: readonly JourneyStep[] = [...toHamburg, arrivedInHamburg, ...deliveredInHamburg(2)];

const untilParcelShop: readonly JourneyStep[] = [
  ...untilOut,
  inHamburg('DELIVERY_ATTEMPTED_FORWARDING_TO_PICKUP_LOCATION', after(2, 3)),
  step('ARRIVED_AT_PARCEL_SHOP', after(2, 9), { location: hamburg, pickup: kiosk }),
];

/** The way of one parcel of several, some hours later than the first. */
const partOf = (parcel: number, hoursLater: number, steps: readonly JourneyStep[]): JourneyStep[] =>
  steps.map(({ after_minutes, arrives_in_days: days, arrives_between: between, ...one }) => ({
    ...one,
    parcel,
    after_minutes: after_minutes + hoursLater * 60,
    ...(days !== undefined && { arrives_in_days: days + Math.round(hoursLater / 24) }),
    ...(between && { arrives_between: [between[0] + hoursLater * 60, between[1] + hoursLater * 60] as const }),
  }));

const sentBack = (event_name: ShipmentEventName, after_minutes: number, location?: Place): JourneyStep =>
  step(event_name, after_minutes, { parcel: 2, is_return: true, ...(location && { location }) });

export const journeys = [
  {
    id: 'delivered',
    title: 'Delivered on time',
    description: 'A parcel takes two days and reaches its recipient in the announced window.',
    steps: untilDelivered,
  },
  {
    id: 'neighbour',
    title: 'Left with a neighbour',
    description: 'Nobody is at home, and the courier hands the parcel to a neighbour.',
    steps: [...untilOut, inHamburg('SUCCESSFULLY_DELIVERED_TO_NEIGHBOR', after(2, 3, 20))],
  },
  {
    id: 'parcel_shop',
    title: 'Collected at a parcel shop',
    description: 'Nobody is at home, the parcel goes to a parcel shop, and the recipient collects it two days later.',
    steps: [
      ...untilParcelShop,
      step('NOTIFICATION_SENT_TO_RECIPIENT', after(2, 9, 30)),
      inHamburg('SUCCESSFULLY_COLLECTED_AT_PARCEL_SHOP', after(4, 9)),
    ],
  },
  {
    id: 'not_collected',
    title: 'Not collected and returned',
    description: 'The parcel waits for seven days in a parcel shop. Nobody collects it, and it goes back to the shop.',
    steps: [
      ...untilParcelShop,
      step('NOTIFICATION_SENT_TO_RECIPIENT', after(6, 9)),
      inHamburg('SHIPMENT_NOT_PICKED_UP_FROM_PARCEL_SHOP_RETURNED_TO_BASE', after(9, 11)),
      inHamburg('SHIPMENT_RETURNING_TO_SENDER', after(10, 8)),
      step('RETURN_TO_SENDER_COMPLETED', after(12, 10), { location: leipzig }),
    ],
  },
  {
    id: 'second_attempt',
    title: 'Delivered at the second attempt',
    description: 'Nobody is at home. The courier leaves a card, comes again on the next day and delivers.',
    steps: [
      ...untilOut,
      inHamburg('DELIVERY_ATTEMPTED_RECIPIENT_NOT_AT_HOME_CARD_LEFT', after(2, 3)),
      step('DELIVERY_ATTEMPTED_FAILED_WILL_TRY_AGAIN', after(2, 6), { location: hamburg, arrives_in_days: 3 }),
      outInHamburg(3, 3),
      inHamburg('SUCCESSFULLY_DELIVERED', after(3, 3, 40)),
    ],
  },
  {
    id: 'delayed',
    title: 'Delayed by the carrier',
    description: 'The parcel is sorted onto the wrong truck, stands still for three days and arrives late.',
    steps: [
      ...toHamburg,
      step('SHIPMENT_MISROUTED', after(1, 8), { location: hanover }),
      step('DELAY_EXPECTED', after(1, 14), { location: hanover, arrives_in_days: 5 }),
      step('DISPATCHED_FROM_SORTING_CENTER', after(4, 6), { location: hanover }),
      step('ARRIVAL_AT_FINAL_DELIVERY_CENTER', after(4, 16), { location: hamburg, arrives_in_days: 5 }),
      ...deliveredInHamburg(5),
    ],
  },
  {
    id: 'lost',
    title: 'Lost on the way',
    description: 'The parcel does not move for days. The carrier looks for it and reports it as lost.',
    steps: [
      ...toHamburg,
      step('DELAY_IN_TRANSPORT', after(3, 8), { location: hanover, arrives_in_days: 6 }),
      step('MORE_INFO_ON_CARRIER_WEBSITE', after(6, 9)),
      step('SHIPMENT_LOST_IN_TRANSIT', after(9, 12), { location: hanover }),
    ],
  },
  {
    id: 'damaged',
    title: 'Damaged on the way',
    description: 'The parcel is damaged in the sorting centre, packed again and delivered a day late.',
    steps: [
      ...toHamburg,
      step('SHIPMENT_DAMAGED', after(1, 6), { location: hanover, arrives_in_days: 3 }),
      step('DISPATCHED_FROM_SORTING_CENTER', after(1, 20), { location: hanover }),
      inHamburg('ARRIVAL_AT_FINAL_DELIVERY_CENTER', after(2, 8)),
      ...deliveredInHamburg(3),
    ],
  },
  {
    id: 'customs',
    title: 'Held at customs',
    description: 'The parcel leaves the country, customs ask for a payment, and it is delivered by a partner.',
    address: {
      name: 'Sample Customer',
      address_line_1: 'Beispielgasse 7',
      zip_code: '8001',
      city: 'Zürich',
      country: 'Switzerland',
      country_code: 'CH',
    },
    steps: [
      ...toHamburg.map((one) => (one.arrives_in_days === undefined ? one : { ...one, arrives_in_days: 5 })),
      step('COMPLETION_OF_EXPORT_PROCESSING', after(1, 10), { location: leipzig }),
      step('ARRIVAL_IN_DESTINATION_COUNTRY', after(2, 6), { location: basel }),
      step('START_OF_CUSTOMS_PROCESSING', after(2, 9), { location: basel }),
      step('HELD_AT_CUSTOMS_FOR_ADDITIONAL_PAYMENT', after(2, 15), { location: basel }),
      step('COMPLETION_OF_CUSTOMS_PROCESSING', after(5, 9), { location: basel, arrives_in_days: 7 }),
      step('HANDED_OVER_TO_DELIVERY_PARTNER', after(5, 14), { location: basel }),
      step('OUT_FOR_DELIVERY', after(6, 22), { location: zurich, arrives_between: [after(7, 2), after(7, 5)] }),
      step('SUCCESSFULLY_DELIVERED_AND_LEFT_AT_LETTER_BOX', after(7, 4), { location: zurich }),
    ],
  },
  {
    id: 'split',
    title: 'Three parcels',
    description: 'The order travels in three parcels. One is delivered, one waits in a parcel shop, one is delayed.',
    steps: [
      ...partOf(1, 0, untilDelivered),
      ...partOf(2, 6, [
        ...toHamburg,
        arrivedInHamburg,
        step('ARRIVED_AT_PARCEL_SHOP', after(2, 3), { location: hamburg, pickup: kiosk }),
        inHamburg('SUCCESSFULLY_COLLECTED_AT_PARCEL_SHOP', after(2, 20)),
      ]),
      ...partOf(3, 30, [
        ...toHamburg,
        step('DELAY_EXPECTED', after(1, 12), { location: hanover, arrives_in_days: 4 }),
        { ...arrivedInHamburg, after_minutes: after(3, 8), arrives_in_days: 4 },
        ...deliveredInHamburg(4),
      ]),
    ],
  },
  {
    id: 'cancelled',
    title: 'Cancelled before it left',
    description: 'The order is late at the shop and is cancelled before a carrier has it.',
    steps: [
      step('ORDER_IN_PROCESSING', after(0, 2)),
      step('ORDER_DELAYED', after(2, 0)),
      step('ORDER_CANCELLED', after(3, 6)),
    ],
  },
  {
    id: 'customer_return',
    title: 'Sent back by the customer',
    description: 'The parcel is delivered. The customer announces a return, and the shop receives it.',
    steps: [
      ...untilDelivered,
      sentBack('ORDER_PROCESSED', after(5, 10)),
      sentBack('PARCEL_DROPPED_OFF_IN_PARCEL_SHOP', after(6, 9), hamburg),
      sentBack('ARRIVED_AT_SORTING_CENTER', after(6, 20), hanover),
      sentBack('SHIPMENT_EN_ROUTE', after(7, 6), leipzig),
      sentBack('SUCCESSFULLY_DELIVERED', after(8, 3), leipzig),
    ],
  },
] as const satisfies readonly Journey[];

export type JourneyId = (typeof journeys)[number]['id'];

export const journeyIds = journeys.map(({ id }) => id);

/** The journeys as callers see them. */
export const listedJourneys = journeys.map(({ id, title, description, steps }) => ({
  id,
  title,
  description,
  steps: (steps as readonly JourneyStep[]).map(({ event_name, after_minutes, parcel = 1, is_return = false }) => ({
    event_name,
    after_minutes,
    parcel,
    is_return,
  })),
}));
