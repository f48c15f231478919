import { claimRefs, eventFilters, sentEventRefs, withdrawalRefs } from '#schemas/catalogues/event-filters.ts';
import { eventGroups as notificationGroups, type Phase, phases } from '#schemas/catalogues/shipment-events.ts';
import { t, wordOf } from '../texts/texts.ts';
import type { Option } from './fields.tsx';
import { eventWords } from './shipment-events.ts';

/** The one vocabulary of events: endpoints, automations, triggers and logs say the same words for the same event. */

const allWithdrawals = 'withdrawals/*';

/** `shipments/delivered/SUCCESSFULLY_DELIVERED` in words. */
export function eventText(ref: string): string {
  const [source = '', phase = '', name] = ref.split('/');
  if (ref === '*') return t('events.all');
  if (ref === allWithdrawals) return t('events.withdrawals.all');
  if (source === 'claims') return phase ? wordOf('events.claims', phase) : t('events.claims.all');
  if (source !== 'shipments') return phase ? wordOf(`events.${source}`, phase) : wordOf('events', source);
  if (name) return eventWords(name);
  return phase ? wordOf('common.phases', phase) : t('events.shipments');
}

/** A group of events that customers and integrations are told about. */
export const groupText = (group: string): string => wordOf('events.groups', group);

interface EventGroup {
  /** What stands for the whole group. */
  filter: string;
  title: string;
  refs: readonly string[];
}

/** In the order of a parcel's way. */
const journey: readonly Phase[] = [
  'order_created',
  'order_processed',
  'in_transit',
  'in_delivery',
  'collect',
  'delivered',
  'delivery_failed',
  'order_cancelled',
  'returned',
];

const onTheWay = (a: Phase, b: Phase) =>
  (journey.indexOf(a) + 1 || phases.length) - (journey.indexOf(b) + 1 || phases.length);

/** The events by the phase that they lead to, those of claims and those of withdrawals. */
export const eventGroups = (): EventGroup[] => [
  ...triggerGroups(),
  { filter: allWithdrawals, title: t('events.withdrawals.all'), refs: withdrawalRefs },
];

/** What can start an automation. */
const triggerGroups = (): EventGroup[] => [
  ...phases.toSorted(onTheWay).map((phase) => ({
    filter: `shipments/${phase}`,
    title: wordOf('common.phases', phase),
    refs: eventFilters.filter((ref) => ref.startsWith(`shipments/${phase}/`)),
  })),
  { filter: 'claims', title: t('events.claims.all'), refs: claimRefs },
];

/** For a list of single events. */
export const eventOptions = (): Option[] =>
  eventGroups().flatMap(({ title, refs }) =>
    refs
      .filter((ref) => sentEventRefs.includes(ref))
      .map((ref) => ({ value: ref, label: eventText(ref), group: title })),
  );

/** For a filter: whole groups first. */
export const filterOptions = (): Option[] => [
  { value: '', label: t('common.all') },
  { value: 'shipments', label: t('events.shipments') },
  ...eventGroups().map(({ filter, title }) => ({ value: filter, label: title })),
];

/** For what starts an automation: what customers are told about, then whole phases, then single events. */
export const triggerOptions = (): Option[] => [
  ...notificationGroups.map((group) => ({
    value: `group:${group}`,
    label: groupText(group),
    group: t('events.byGroup'),
  })),
  ...['*', 'shipments'].map((ref) => ({ value: `ref:${ref}`, label: eventText(ref), group: t('events.whole') })),
  ...triggerGroups().map(({ filter, title }) => ({ value: `ref:${filter}`, label: title, group: t('events.whole') })),
  ...triggerGroups().flatMap(({ title, refs }) =>
    refs.map((ref) => ({ value: `ref:${ref}`, label: eventText(ref), group: title })),
  ),
];

/** Whether an event is what somebody looks for: by its words, those of its group, or its name in the API. */
export function isFound({ value, label, group = '' }: Option, sought: string): boolean {
  const text = `${label} ${group} ${value} ${value.replaceAll('_', ' ')}`.toLowerCase();
  return sought
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
