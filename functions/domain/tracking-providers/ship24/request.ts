import {
  again,
  outcomeOfCode,
  outcomeOfStatus,
  reasons,
  refused,
  submitted,
} from '#domain/tracking-providers/outcomes.ts';
import type {
  ParcelToTrack,
  ProviderAnswer,
  ProviderCredential,
  ProviderRequest,
  RegistrationOutcome,
} from '#domain/tracking-providers/provider.ts';
import { fieldsOf, listOf, parsed } from '#domain/tracking-providers/reading.ts';

/**
 * Ship24 finds the carrier by the number. The same request again makes no second tracker, so the request has nothing in
 * it that differs between two orders in one parcel, such as our id.
 */
export function registration(parcel: ParcelToTrack, { api_key }: ProviderCredential): ProviderRequest {
  const { tracking_number, country_code, postal_code } = parcel;
  return {
    method: 'POST',
    path: '/public/v1/trackers',
    headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify({
      trackingNumber: tracking_number,
      ...(country_code && { destinationCountryCode: country_code }),
      ...(postal_code && { destinationPostCode: postal_code }),
    }),
  };
}

/** Ship24's own codes: docs.ship24.com/errors. */
const outcomes: Readonly<Record<string, RegistrationOutcome>> = {
  tracker_conflict: submitted, // exists already
  request_conflict: again(reasons.busy), // the same request is under way
  validation_error: refused(reasons.number),
  shipping_date_outdated: refused('The tracking provider does not track parcels that are older than half a year.'),
  quota_limit_reached: refused(reasons.quota),
  no_active_subscription: refused(reasons.quota),
};

export function outcomeOf(answer: ProviderAnswer): RegistrationOutcome {
  const { status, body } = answer;
  const [error] = listOf(parsed(body).errors);
  const { code } = fieldsOf(error);
  const isAboutParcel = status >= 400 && status < 500 && status !== 401 && status !== 429;
  const known = isAboutParcel ? outcomeOfCode(outcomes, code) : undefined;
  return known ?? outcomeOfStatus(answer);
}
