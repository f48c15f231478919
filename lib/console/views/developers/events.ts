import { claimRefs, eventFilters, sentEventRefs } from '#schemas/catalogues/event-filters.ts';
import { type Phase, phases } from '#schemas/catalogues/shipment-events.ts';
import { t, wordOf } from '../../texts/texts.ts';
import type { Option } from '../../ui/fields.tsx';
import { eventWords } from '../../ui/shipment-events.ts';

/** `shipments/delivered/SUCCESSFULLY_DELIVERED` in words. */
export function eventText(ref: string): string {
  const [source = '', phase = '', name] = ref.split('/');
  if (ref === '*') return t('developers.events.all');
  if (source === 'claims') return phase ? wordOf('developers.events.claims', phase) : t('developers.events.claims.all');
  if (name) return eventWords(name, phase.startsWith('return'));
  return phase ? wordOf('common.phases', phase) : t('developers.events.shipments');
}

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

/** The events by the phase that they lead to, and those of claims. */
export const eventGroups = (): EventGroup[] => [
  ...phases.toSorted(onTheWay).map((phase) => ({
    filter: `shipments/${phase}`,
    title: wordOf('common.phases', phase),
    refs: eventFilters.filter((ref) => ref.startsWith(`shipments/${phase}/`)),
  })),
  { filter: 'claims', title: t('developers.events.claims.all'), refs: claimRefs },
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
  { value: 'shipments', label: t('developers.events.shipments') },
  ...eventGroups().map(({ filter, title }) => ({ value: filter, label: title })),
];
