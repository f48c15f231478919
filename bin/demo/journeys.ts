/** The ways that parcels go, each from its order to where it stands now. */

export interface Journey {
  /** Events of the carrier, with the hours after the one before. Without any the order waits for its parcel. */
  steps: readonly (readonly [event: string, hours: number])[];
  /** How often it happens, compared with the others. */
  weight: number;
  /** Days since the order was placed, at least and at most. `now`: the last event has just happened. */
  age: readonly [number, number] | 'now';
  hasParcel?: false;
  /** The order travels in a second parcel, with these events. */
  also?: readonly (readonly [event: string, hours: number])[];
  /** The customer sends the parcel back, with these events. */
  back?: readonly (readonly [event: string, hours: number])[];
}

const onTheWay = [
  ['PICKUP_SUCCESSFUL', 6],
  ['ARRIVED_AT_SORTING_CENTER', 9],
] as const;
const atTheDoor = [...onTheWay, ['ARRIVAL_AT_TRANSPORT_HUB', 14], ['OUT_FOR_DELIVERY', 11]] as const;
const arrived = [...atTheDoor, ['SUCCESSFULLY_DELIVERED', 5]] as const;

export const journeys: readonly Journey[] = [
  { steps: [], weight: 6, age: [0, 1], hasParcel: false },
  { steps: [], weight: 8, age: [0, 1] },
  { steps: onTheWay, weight: 16, age: 'now' },
  { steps: atTheDoor, weight: 10, age: 'now' },
  { steps: arrived, weight: 50, age: [3, 14] },
  { steps: [...atTheDoor, ['SUCCESSFULLY_DELIVERED_TO_NEIGHBOR', 4]], weight: 10, age: 'now', also: onTheWay },
  { steps: [...atTheDoor, ['ARRIVED_AT_PARCEL_SHOP', 6]], weight: 7, age: [3, 5] },
  {
    steps: [...atTheDoor, ['ARRIVED_AT_PARCEL_SHOP', 6], ['SUCCESSFULLY_COLLECTED_AT_PARCEL_SHOP', 30]],
    weight: 6,
    age: [5, 14],
  },
  { steps: [...atTheDoor, ['DELIVERY_ATTEMPTED_RECIPIENT_NOT_AT_HOME', 5]], weight: 6, age: [3, 5] },
  { steps: [...atTheDoor, ['DELIVERY_ATTEMPTED_ADDRESS_COULD_NOT_BE_FOUND', 5]], weight: 3, age: [3, 8] },
  { steps: onTheWay, weight: 5, age: [8, 13] },
  { steps: [...onTheWay, ['SHIPMENT_LOST', 120]], weight: 3, age: [9, 14] },
  { steps: [...onTheWay, ['SHIPMENT_DAMAGED', 20]], weight: 3, age: [3, 8] },
  { steps: [...atTheDoor, ['SHIPMENT_RETURNING_TO_SENDER', 48]], weight: 3, age: [6, 12] },
  {
    steps: [...atTheDoor, ['SHIPMENT_RETURNING_TO_SENDER', 48], ['SHIPMENT_RETURNED_TO_SENDER', 40]],
    weight: 3,
    age: [8, 14],
  },
  { steps: [['ORDER_CANCELLED', 3]], weight: 3, age: [1, 12] },
  { steps: arrived, weight: 3, age: [5, 12], back: [] },
  {
    steps: arrived,
    weight: 3,
    age: [7, 14],
    back: [
      ['PICKUP_SUCCESSFUL', 20],
      ['RETURN_IN_PROGRESS', 10],
    ],
  },
  {
    steps: arrived,
    weight: 3,
    age: [9, 14],
    back: [
      ['PICKUP_SUCCESSFUL', 20],
      ['RETURN_TO_SENDER_COMPLETED', 40],
    ],
  },
  {
    steps: arrived,
    weight: 1,
    age: [9, 14],
    back: [
      ['PICKUP_SUCCESSFUL', 20],
      ['RETURN_TO_SENDER_FAILED', 40],
    ],
  },
];
