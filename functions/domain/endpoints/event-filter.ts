import { eventFilters } from '#schemas/catalogues/event-filters.ts';

const known: ReadonlySet<string> = new Set(eventFilters);

/** Whether the catalogue has what the text names. An event under a phase that is not its own is never sent. */
export const isEventFilter = (text: string): boolean => known.has(text);

/** Whether an endpoint that listens to these wants the event. */
export function matchesEvent(enabledEvents: readonly string[], ref: string): boolean {
  return enabledEvents.some((filter) => filter === '*' || filter === ref || ref.startsWith(`${filter}/`));
}
