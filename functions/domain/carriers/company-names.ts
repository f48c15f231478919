import { type CarrierReference, carrierReferences, catalogue } from './catalogue.ts';

/** Longer texts are no company names; this bounds the work for whatever a caller sends. */
const mostWords = 8;

/** Two letters at the start of a longer text say too little: "Go Post" is not GO!. */
const shortestLeadingAlias = 3;

/** A company of its own that begins with the name of one of ours: Hermes UK became Evri. */
const namesakes = new Set(['hermesuk']);

let carriersByAlias: Map<string, CarrierReference[]> | undefined;

/**
 * The carriers a shop's text names, in the order of the catalogue: the whole text, else the longest beginning of it
 * that is a known name ("UPS Standard", "GLS Germany GmbH"). Case, accents and punctuation do not matter.
 */
export function carriersNamed(company: string | null | undefined): readonly CarrierReference[] {
  const words = wordsOf(company ?? '');
  for (let count = words.length; count > 0; count -= 1) {
    const name = words.slice(0, count).join('');
    if (namesakes.has(name)) return [];
    const found = aliasIndex().get(name);
    if (found && (count === words.length || name.length >= shortestLeadingAlias)) return found;
  }
  return [];
}

function aliasIndex() {
  if (carriersByAlias) return carriersByAlias;
  carriersByAlias = new Map();
  for (const reference of carrierReferences) {
    for (const alias of [reference, ...catalogue[reference].aliases]) {
      const name = wordsOf(alias).join('');
      const known = carriersByAlias.get(name) ?? [];
      if (!known.includes(reference)) carriersByAlias.set(name, [...known, reference]);
    }
  }
  return carriersByAlias;
}

const wordsOf = (text: string) =>
  text
    .slice(0, 200)
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .slice(0, mostWords);
