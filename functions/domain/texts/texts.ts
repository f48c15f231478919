import type { Language } from '#schemas/catalogues/enumerations.ts';
import {
  type Direction,
  isTowardsMerchant,
  type Phase,
  phaseOf,
  type ReturnState,
  type ReturnWords,
  returnStateOf,
  returnWordsOf,
  type ShipmentEventName,
} from '#schemas/catalogues/shipment-events.ts';

/** The texts of one language. Translators edit them in `<language>.json` beside this file. */
export interface Texts {
  language: string;
  /** How the language addresses the customer. */
  register: string;
  phases: Record<Phase, HeaderTexts>;
  /**
   * An estimated arrival of which only the beginning or only the end is known, and one that is over although the parcel is
   * still under way. `{time}` stands for it.
   */
  arrival: { earliest: string; latest: string; overdue: string };
  /** The texts of events on a return, instead of those that speak of an order and its arrival. */
  returns: Record<ReturnWords, EventTexts>;
  /** A return that is registered has the header of that phase. One that failed did not reach the shop either, as if sent back. */
  return_headers: Record<Exclude<ReturnState, 'registered' | 'failed'>, HeaderTexts>;
  /** An event has its own header texts if those of its phase would be wrong. */
  events: Record<ShipmentEventName, EventTexts & Partial<HeaderTexts>>;
}

interface EventTexts {
  event_status: string;
  list_label: string;
}

interface HeaderTexts {
  header_headline: string;
  header_title: string;
  header_subtitle: string;
}

export type EventStrings = EventTexts & HeaderTexts;

/** A language is loaded on first use. Each is a separate file in the bundle, so a cold start does not pay for it. */
export async function loadTexts(language: Language): Promise<Texts> {
  const { default: texts } = await import(/* @vite-ignore */ `./${language}.json`, { with: { type: 'json' } });
  return texts as Texts;
}

/** The texts of a tracking page for an event. */
export function eventStrings(texts: Texts, name: ShipmentEventName, direction: Direction): EventStrings {
  if (!isTowardsMerchant(direction)) return { ...texts.phases[phaseOf(name, direction)], ...texts.events[name] };
  const words = returnWordsOf(name);
  const { event_status, list_label } = words ? texts.returns[words] : texts.events[name];
  return { ...returnHeader(texts, returnStateOf(name)), event_status, list_label };
}

function returnHeader({ phases, return_headers }: Texts, state: ReturnState): HeaderTexts {
  if (state === 'registered') return phases.return_created;
  if (state !== 'failed') return return_headers[state];
  return { ...return_headers.sent_back, header_subtitle: phases.return_failed.header_subtitle };
}
