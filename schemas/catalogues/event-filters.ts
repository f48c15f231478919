import { phases, refOf, type ShipmentRef, shipmentEventNames } from './shipment-events.ts';

export const claimRefs = ['claims/created', 'claims/updated'] as const;

export type EventRef = ShipmentRef | (typeof claimRefs)[number];

/** Everything that a webhook endpoint can listen to: all events, those of a source, of a phase, or a single one. */
export const eventFilters: readonly string[] = [
  '*',
  'shipments',
  ...phases.map((phase) => `shipments/${phase}`),
  ...shipmentEventNames.map(refOf),
  'claims',
  ...claimRefs,
];
