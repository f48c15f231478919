import { normaliseTrackingNumber } from '#platform/tracking-number.ts';
import { type Carrier, type CarrierReference, carrierReferences, catalogue, isCarrierReference } from './catalogue.ts';
import type { Distinctness, NumberFormat } from './number-format.ts';

export interface DetectionInput {
  readonly trackingNumber: string;
  /** The carrier's name as the shop writes it. */
  readonly trackingCompany?: string | null | undefined;
  /** The destination country of the parcel (ISO 3166-1 alpha-2). */
  readonly countryCode?: string | null | undefined;
}

type ChecksumResult = 'valid' | 'invalid' | 'none';

interface Candidate {
  readonly carrier_reference: CarrierReference;
  readonly name: string;
  /** Higher is likelier. Only the order of scores has a meaning. */
  readonly score: number;
  /** Only this carrier uses the shape, and the check digit is correct. */
  readonly certain: boolean;
  readonly checksum: ChecksumResult;
  /** Why it is a candidate, in sentences for the caller. */
  readonly reasons: readonly string[];
}

export interface Detection {
  readonly carrier_reference: CarrierReference | null;
  /** The likeliest first. Candidates with the same score are in the order of the catalogue. */
  readonly candidates: readonly Candidate[];
}

/** Far apart, so no sum of weak evidence is higher than one strong evidence. */
const weight = { named: 1000, certain: 200, checksum: 15, market: 5 };
const shapeWeight: Record<Distinctness, number> = { exclusive: 70, typical: 45, shared: 20 };

export function detectCarriers(input: DetectionInput): Detection {
  const number = normaliseTrackingNumber(input.trackingNumber);
  if (number === '') return { carrier_reference: null, candidates: [] };
  const country = input.countryCode?.trim().toUpperCase() ?? '';
  const named = carriersNamed(input.trackingCompany);
  const byNumber = carrierReferences.flatMap((reference) => {
    const naming = !named.includes(reference) ? 'no' : named.length > 1 ? 'with others' : 'alone';
    return bestOf(formatCandidates(reference, number, country, naming)) ?? [];
  });
  const isNamedMatched = byNumber.some((found) => named.includes(found.carrier_reference));
  const byName = isNamedMatched ? [] : named.map((reference) => candidateByName(reference, number, country));
  const ranked = [...byName, ...byNumber].toSorted((one, other) => other.score - one.score);
  return { carrier_reference: ranked[0]?.carrier_reference ?? null, candidates: ranked };
}

/** Whether the shop's text names the carrier. "DHL" names two carriers, and the number decides between them. */
type Naming = 'no' | 'alone' | 'with others';

function formatCandidates(reference: CarrierReference, number: string, country: string, naming: Naming) {
  const carrier: Carrier = catalogue[reference];
  return carrier.formats
    .filter((format) => format.pattern.test(number))
    .filter((format) => naming === 'alone' || !format.onlyIn || format.onlyIn.includes(country))
    .map((format) => ({ format, checksum: checksumOf(format, number) }))
    .filter(({ format, checksum }) => checksum !== 'invalid' || !format.requires)
    .map(({ format, checksum }) => candidateByFormat(reference, format, checksum, country, naming !== 'no'));
}

function candidateByFormat(
  reference: CarrierReference,
  format: NumberFormat,
  checksum: ChecksumResult,
  country: string,
  isNamed: boolean,
): Candidate {
  const carrier: Carrier = catalogue[reference];
  const certain = format.distinctness === 'exclusive' && checksum === 'valid';
  const isMarket = carrier.markets.includes(country);
  const checksumWeight = { valid: weight.checksum, invalid: -weight.checksum, none: 0 }[checksum];
  return {
    carrier_reference: reference,
    name: carrier.name,
    score:
      shapeWeight[format.distinctness] +
      checksumWeight +
      (certain ? weight.certain : 0) +
      (isNamed ? weight.named : 0) +
      (isMarket ? weight.market : 0),
    certain,
    checksum,
    reasons: [
      ...(isNamed ? [namedReason(carrier)] : []),
      `The number has the form of a ${format.name}.`,
      ...checksumReasons(format, checksum),
      ...(isMarket ? [`${carrier.name} delivers in ${country}.`] : []),
    ],
  };
}

/** We believe a shop that names the carrier, even if the number is mistyped or has an unknown form. */
function candidateByName(reference: CarrierReference, number: string, country: string): Candidate {
  const carrier: Carrier = catalogue[reference];
  const failed = carrier.formats.find(
    (format) => format.pattern.test(number) && checksumOf(format, number) === 'invalid',
  );
  const isMarket = carrier.markets.includes(country);
  return {
    carrier_reference: reference,
    name: carrier.name,
    score: weight.named + (isMarket ? weight.market : 0),
    certain: false,
    checksum: failed ? 'invalid' : 'none',
    reasons: [
      namedReason(carrier),
      failed
        ? `The number has the form of a ${failed.name}.`
        : `The number has none of the forms known of ${carrier.name}.`,
      ...(failed ? checksumReasons(failed, 'invalid') : []),
      ...(isMarket ? [`${carrier.name} delivers in ${country}.`] : []),
    ],
  };
}

const bestOf = (candidates: readonly Candidate[]) =>
  candidates.reduce<Candidate | undefined>((best, next) => (best && best.score >= next.score ? best : next), undefined);

function checksumOf(format: NumberFormat, number: string): ChecksumResult {
  const rule = ruleOf(format);
  if (!rule) return 'none';
  return rule.holds(number) ? 'valid' : 'invalid';
}

const ruleOf = ({ requires, indicatedBy }: NumberFormat) => requires ?? indicatedBy;

const namedReason = (carrier: Carrier) => `The shop’s tracking company names ${carrier.name}.`;

function checksumReasons(format: NumberFormat, checksum: ChecksumResult): string[] {
  const rule = ruleOf(format);
  return rule ? [`Its check digit ${checksum === 'valid' ? 'holds' : 'fails'} (${rule.name}).`] : [];
}

/** Longer texts are not company names. This limits the work for any input. */
const maxWords = 8;

/** Two letters at the start of a longer text are not enough: "Go Post" is not GO!. */
const shortestLeadingAlias = 3;

/** Other companies whose name begins with the name of one of ours: Hermes UK became Evri. */
const namesakes = new Set(['hermesuk']);

let carriersByAlias: Map<string, CarrierReference[]> | undefined;

/**
 * The carriers that a shop's text names, in the order of the catalogue. The whole text is tried first, then its longest
 * beginning that is a known name ("UPS Standard", "GLS Germany GmbH"). Case, accents and punctuation do not matter.
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
    .slice(0, maxWords);

/** The carrier's public page for a number, or null if the carrier is unknown or has no such page. */
export function trackingUrl(carrierReference: string | null, trackingNumber: string): string | null {
  if (!isCarrierReference(carrierReference)) return null;
  const { trackingUrl: template }: Carrier = catalogue[carrierReference];
  // Spaces only group the digits for reading, and some pages do not accept them.
  const number = trackingNumber.replace(/\s/g, '');
  if (template === null || number === '') return null;
  // `encodeURIComponent` throws on a lone surrogate. The replacer function keeps "$&" in a number from being expanded.
  return template.replace('{number}', () => encodeURIComponent(number.toWellFormed()));
}
