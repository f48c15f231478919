/** The ways that parcels go, each from its order to where it stands now. */

export interface Journey {
  /** Events of the carrier, at least so many hours after the one before. Without any the order waits for its parcel. */
  steps: readonly (readonly [event: string, hours: number])[];
  /** How often it happens, compared with the others. */
  weight: number;
  /** Days since the order was placed, at least and at most. `now`: the last event is as new as it can be. */
  age: readonly [number, number] | 'now';
  hasParcel?: false;
  /** It is over for so long that nobody is notified any more. */
  isPast?: true;
  /** The order travels in a second parcel, with these events. */
  also?: readonly (readonly [event: string, hours: number])[];
  /** The customer sends the parcel back, with these events. */
  back?: readonly (readonly [event: string, hours: number])[];
}

const onTheWay = [
  ['PICKUP_SUCCESSFUL', 1],
  ['ARRIVED_AT_SORTING_CENTER', 3],
] as const;
const atTheDoor = [...onTheWay, ['ARRIVAL_AT_TRANSPORT_HUB', 2], ['OUT_FOR_DELIVERY', 2]] as const;
const arrived = [...atTheDoor, ['SUCCESSFULLY_DELIVERED', 2]] as const;

export const journeys: readonly Journey[] = [
  { steps: [], weight: 6, age: [0, 1], hasParcel: false },
  { steps: [], weight: 8, age: [0, 1] },
  { steps: onTheWay, weight: 16, age: 'now' },
  { steps: atTheDoor, weight: 10, age: 'now' },
  { steps: arrived, weight: 50, age: [3, 14] },
  { steps: [...atTheDoor, ['SUCCESSFULLY_DELIVERED_TO_NEIGHBOR', 2]], weight: 10, age: 'now', also: onTheWay },
  { steps: [...atTheDoor, ['ARRIVED_AT_PARCEL_SHOP', 3]], weight: 7, age: [3, 5] },
  {
    steps: [...atTheDoor, ['ARRIVED_AT_PARCEL_SHOP', 3], ['SUCCESSFULLY_COLLECTED_AT_PARCEL_SHOP', 14]],
    weight: 6,
    age: [5, 14],
  },
  { steps: [...atTheDoor, ['DELIVERY_ATTEMPTED_RECIPIENT_NOT_AT_HOME', 2]], weight: 6, age: [3, 5] },
  { steps: [...atTheDoor, ['DELIVERY_ATTEMPTED_ADDRESS_COULD_NOT_BE_FOUND', 2]], weight: 3, age: [3, 8] },
  { steps: onTheWay, weight: 5, age: [8, 13] },
  { steps: [...onTheWay, ['SHIPMENT_LOST', 120]], weight: 3, age: [9, 14] },
  { steps: [...onTheWay, ['SHIPMENT_DAMAGED', 6]], weight: 3, age: [3, 8] },
  { steps: [...atTheDoor, ['SHIPMENT_RETURNING_TO_SENDER', 48]], weight: 3, age: [6, 12] },
  {
    steps: [...atTheDoor, ['SHIPMENT_RETURNING_TO_SENDER', 48], ['SHIPMENT_RETURNED_TO_SENDER', 36]],
    weight: 3,
    age: [8, 14],
  },
  { steps: [['ORDER_CANCELLED', 1]], weight: 3, age: [1, 12] },
  { steps: arrived, weight: 3, age: [5, 12], back: [] },
  {
    steps: arrived,
    weight: 3,
    age: [7, 14],
    back: [
      ['PICKUP_SUCCESSFUL', 20],
      ['RETURN_IN_PROGRESS', 3],
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
