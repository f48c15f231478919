/**
 * The one catalogue of errors. `key` is what callers program against, so keys are never renamed; `message` is for people
 * and may change. `shop_fixtures_not_found` and the like have no operation here yet, but the contract names them.
 */
const catalogue = {
  // Contract
  a_b_test_not_found: { status: 404, message: 'There is no such A/B test in this shop.' },
  a_b_test_overlap: { status: 409, message: 'Another A/B test covers this segment and period.' },
  announcement_exists: { status: 409, message: 'An announcement with this text and language exists.' },
  announcement_not_found: { status: 404, message: 'There is no such announcement in this shop.' },
  campaign_active_segment_exists: { status: 409, message: 'An active campaign for this segment exists.' },
  campaign_exists: { status: 409, message: 'A campaign with this name exists.' },
  campaign_not_found: { status: 404, message: 'There is no such campaign in this shop.' },
  campaign_product_not_found: { status: 404, message: 'There is no such product in this campaign.' },
  campaign_type_invalid: { status: 422, message: 'The campaign type is not valid here.' },
  carrier_reference_invalid: { status: 422, message: 'The carrier reference is not known.' },
  deal_not_found: { status: 404, message: 'There is no such deal in this shop.' },
  discount_exists: { status: 409, message: 'A discount with this code exists.' },
  discount_not_found: { status: 404, message: 'There is no such discount in this shop.' },
  image_media_unsupported: { status: 415, message: 'This image format is not supported.' },
  invalid_payload: { status: 422, message: 'The request is not valid: see errors.' },
  partner_key_missing_permissions: {
    status: 400,
    message: 'The stored third-party key lacks the permission for this.',
  },
  partner_key_not_found: { status: 404, message: 'No such third-party key is configured.' },
  order_exists: { status: 409, message: 'An order with this number or external id exists.' },
  order_not_found: { status: 404, message: 'There is no such order in this shop.' },
  org_exists: { status: 409, message: 'This organization exists.' },
  org_not_found: { status: 404, message: 'There is no such organization.' },
  permission_denied: { status: 403, message: 'This is not allowed.' },
  shipment_exists: { status: 409, message: 'A shipment with this tracking number exists.' },
  shipment_not_found: { status: 404, message: 'There is no such shipment in this shop.' },
  shop_exists: { status: 409, message: 'A shop with this slug exists.' },
  shop_fixtures_not_found: { status: 404, message: 'The fixtures of this shop must be created first.' },
  shop_not_found: { status: 404, message: 'There is no shop with this slug.' },
  shop_settings_not_found: { status: 404, message: 'This shop has no settings.' },
  user_exists: { status: 409, message: 'A user with this e-mail address exists.' },
  user_not_found: { status: 404, message: 'There is no such user.' },
  webhook_exists: { status: 409, message: 'A webhook endpoint with this url exists.' },
  webhook_not_found: { status: 404, message: 'There is no such webhook endpoint in this shop.' },
  zip_code_invalid: { status: 422, message: 'The zip code is not valid.' },
  // The contract gives this key two statuses: 400 for missing or malformed credentials, 401 for wrong ones.
  invalid_merchant_or_key: { status: [401, 400], message: 'Send HTTP Basic credentials: a username and its API key.' },
  insufficient_rights: { status: 403, message: 'This API key does not have the rights for this.' },
  bad_gateway: { status: 502, message: 'A third-party service failed.' },
  service_not_implemented: { status: 501, message: 'This is not available.' },
  unexpected: { status: 500, message: 'Something failed on our side. Quote the correlation id to us.' },
  // Extensions
  route_not_found: { status: 404, message: 'There is nothing at this path: see /docs.' },
  method_not_allowed: { status: 405, message: 'This path does not take this method: see the Allow header.' },
  payload_too_large: { status: 413, message: 'The request or its answer is too large.' },
  rate_limited: { status: 429, message: 'Too many requests: wait as long as Retry-After says.' },
  write_conflict: { status: 409, message: 'Others are changing this at the same time: try again.' },
  claim_not_found: { status: 404, message: 'There is no such claim in this shop.' },
  claim_transition_invalid: { status: 409, message: 'The claim cannot move to this status.' },
  automation_not_found: { status: 404, message: 'There is no such automation in this shop.' },
  automation_exists: { status: 409, message: 'An automation with this name exists.' },
  internal_trigger_not_found: { status: 404, message: 'There is no such internal trigger.' },
  api_key_not_found: { status: 404, message: 'There is no such API key in this shop.' },
  shipment_event_exists: { status: 409, message: 'The shipment has this event at this time already.' },
  webhook_delivery_not_found: { status: 404, message: 'There is no such delivery of this endpoint.' },
  registration_not_found: { status: 404, message: 'There is no such registration in this shop.' },
  registration_exists: { status: 409, message: 'A registration of this type exists.' },
} as const satisfies Record<string, { status: number | readonly number[]; message: string }>;

export type ErrorKey = keyof typeof catalogue;
export type ErrorType = 'api_error' | 'invalid_request_error';

/** One fault of a request. `loc` leads to the place: `["body", "name"]`, `["query", "page"]`. */
export interface FieldError {
  loc: (string | number)[];
  msg: string;
  type: 'missing' | 'type_error' | 'value_error';
}

export interface ErrorBody {
  key: ErrorKey;
  message: string;
  type: ErrorType;
  errors: FieldError[];
}

export const errorKeys = Object.keys(catalogue) as ErrorKey[];

export function statusesOf(key: ErrorKey): readonly number[] {
  const { status } = catalogue[key];
  return typeof status === 'number' ? [status] : status;
}

export function errorBody(key: ErrorKey, details: { message?: string; errors?: FieldError[] } = {}): ErrorBody {
  const type = statusesOf(key)[0]! >= 500 ? 'api_error' : 'invalid_request_error';
  return { key, message: details.message ?? catalogue[key].message, type, errors: details.errors ?? [] };
}
