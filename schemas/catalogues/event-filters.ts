import { phases, refsOf, shipmentEventNames } from './shipment-events.ts';

export const claimRefs = ['claims/created', 'claims/updated'] as const;

/** All values of `enabled_events`: all events, the events of a source, the events of a phase, or one event. */
export const eventFilters: readonly string[] = [
  '*',
  'shipments',
  ...phases.map((phase) => `shipments/${phase}`),
  ...shipmentEventNames.flatMap(refsOf),
  'claims',
  ...claimRefs,
];
