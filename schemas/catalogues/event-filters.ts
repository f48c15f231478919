import { groupOf, phases, refsOf, shipmentEventNames } from './shipment-events.ts';

export const claimRefs = ['claims/created', 'claims/updated'] as const;

/** Only endpoints get these: vendors and automations know shipments and claims. */
export const withdrawalRefs = ['withdrawals/declared', 'withdrawals/settled'] as const;
export const withdrawalGroups = ['withdrawal_declared', 'withdrawal_settled'] as const;

/** The events of a parcel from the shop to the customer that are sent: one without a group notifies nobody. */
export const sentEventNames = shipmentEventNames.filter((name) => groupOf(name, 'merchant_customer') !== null);

/** The names of the events that listeners get. */
export const sentEventRefs: readonly string[] = [...sentEventNames.flatMap(refsOf), ...claimRefs, ...withdrawalRefs];

/** All values that start an automation: all events, the events of a source, the events of a phase, or one event. */
export const triggerFilters: readonly string[] = [
  '*',
  'shipments',
  ...phases.map((phase) => `shipments/${phase}`),
  ...shipmentEventNames.flatMap(refsOf),
  'claims',
  ...claimRefs,
];

/** All values of `enabled_events`. */
export const eventFilters: readonly string[] = [...triggerFilters, 'withdrawals/*', ...withdrawalRefs];
