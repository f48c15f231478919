import { detectCarriers } from '#domain/carriers/detect.ts';
import { trackingUrl } from '#domain/carriers/tracking-url.ts';

/** The caller's carrier, else the one that the number speaks for, with the address of its tracking page. */
export function carrierOf(
  trackingNumber: string,
  given: string | null | undefined,
  company?: string | null,
  countryCode?: string,
) {
  const carrier_reference =
    given ??
    detectCarriers({ trackingNumber, trackingCompany: company ?? null, countryCode: countryCode ?? null })
      .carrier_reference;
  return { carrier_reference, tracking_url: trackingUrl(carrier_reference, trackingNumber) };
}
