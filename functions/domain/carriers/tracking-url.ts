import { type Carrier, catalogue, isCarrierReference } from './catalogue.ts';

/** The carrier's public page for a number; null for an unknown carrier and for one without such a page. */
export function trackingUrl(carrierReference: string | null, trackingNumber: string): string | null {
  if (!isCarrierReference(carrierReference)) return null;
  const { trackingUrl: template }: Carrier = catalogue[carrierReference];
  // Spaces group the digits for reading, and some of the pages do not accept them.
  const number = trackingNumber.replace(/\s/g, '');
  if (template === null || number === '') return null;
  // A lone surrogate would make encodeURIComponent throw; a replacer keeps "$&" in a number from being expanded.
  return template.replace('{number}', () => encodeURIComponent(number.toWellFormed()));
}
