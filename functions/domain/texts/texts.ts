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
  /** An estimated arrival of which only the beginning or only the end is known. `{time}` stands for it. */
  arrival: { earliest: string; latest: string };
  /** The texts of events on a return, instead of those that speak of an order and its arrival. */
  returns: Record<ReturnWords, EventTexts>;
  /** A return that is registered or has failed has the header of that phase. */
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
const files: Record<Language, () => Promise<{ default: unknown }>> = {
  cs: () => import('./cs.json', { with: { type: 'json' } }),
  da: () => import('./da.json', { with: { type: 'json' } }),
  nl: () => import('./nl.json', { with: { type: 'json' } }),
  en: () => import('./en.json', { with: { type: 'json' } }),
  fi: () => import('./fi.json', { with: { type: 'json' } }),
  fr: () => import('./fr.json', { with: { type: 'json' } }),
  de: () => import('./de.json', { with: { type: 'json' } }),
  gr: () => import('./gr.json', { with: { type: 'json' } }),
  hu: () => import('./hu.json', { with: { type: 'json' } }),
  it: () => import('./it.json', { with: { type: 'json' } }),
  lv: () => import('./lv.json', { with: { type: 'json' } }),
  pl: () => import('./pl.json', { with: { type: 'json' } }),
  pt: () => import('./pt.json', { with: { type: 'json' } }),
  sk: () => import('./sk.json', { with: { type: 'json' } }),
  es: () => import('./es.json', { with: { type: 'json' } }),
  sv: () => import('./sv.json', { with: { type: 'json' } }),
};

export async function loadTexts(language: Language): Promise<Texts> {
  return (await files[language]()).default as Texts;
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
  return state === 'failed' ? phases.return_failed : return_headers[state];
}
