/**
 * The only catalogue of errors. Callers use `key` in their code, so keys never change. `message` is for people and may
 * change. No operation uses `shop_fixtures_not_found` and a few others yet, but the contract names them.
 */
const catalogue = {
  // Contract
  a_b_test_not_found: { status: 404, message: 'This shop has no A/B test with this uuid.' },
  a_b_test_overlap: {
    status: 409,
    message: 'Another A/B test already covers this segment and period. Choose another period, or end that test first.',
  },
  announcement_exists: { status: 409, message: 'This shop already has an announcement with this text and language.' },
  announcement_not_found: { status: 404, message: 'This shop has no announcement with this uuid.' },
  campaign_active_segment_exists: {
    status: 409,
    message:
      'Another enabled campaign already covers this segment and period. Choose another period, or disable that campaign first.',
  },
  campaign_exists: {
    status: 409,
    message: 'This shop already has a campaign with this name. Choose another name.',
  },
  campaign_not_found: { status: 404, message: 'This shop has no campaign with this uuid.' },
  campaign_product_not_found: { status: 404, message: 'This campaign has no product with this uuid.' },
  campaign_type_invalid: { status: 422, message: 'The campaign type is not allowed here. The field errors says why.' },
  carrier_reference_invalid: {
    status: 422,
    message: 'The carrier reference is unknown. Leave it out, and the service detects the carrier.',
  },
  deal_not_found: { status: 404, message: 'This shop has no deal with this uuid.' },
  discount_exists: {
    status: 409,
    message: 'This shop already has a discount with this code. Choose another code.',
  },
  discount_not_found: { status: 404, message: 'This shop has no discount with this uuid.' },
  image_media_unsupported: {
    status: 415,
    message: 'The service does not support this image format. Send a JPEG, PNG, GIF or WebP file.',
  },
  invalid_payload: {
    status: 422,
    message: 'The request is not valid. The field errors lists what to correct.',
  },
  partner_key_missing_permissions: {
    status: 400,
    message: 'The stored key of the third-party system does not allow this. Store a key with more permissions.',
  },
  partner_key_not_found: {
    status: 404,
    message: 'The shop has no stored key for this third-party system. Set the key first.',
  },
  order_exists: {
    status: 409,
    message: 'Another order of this shop already has this order number or external id.',
  },
  order_not_found: {
    status: 404,
    message: 'This shop has no order with this id. Check the id and its type.',
  },
  org_exists: { status: 409, message: 'This organization already exists.' },
  org_not_found: { status: 404, message: 'This organization does not exist.' },
  permission_denied: { status: 403, message: 'You do not have permission to do this.' },
  shipment_exists: { status: 409, message: 'The order already has a shipment with this tracking number.' },
  shipment_not_found: {
    status: 404,
    message: 'This shop has no such shipment. If you sent an id of an order, the order must have exactly one shipment.',
  },
  shop_exists: { status: 409, message: 'A shop with this slug already exists. Choose another slug.' },
  shop_fixtures_not_found: { status: 404, message: 'This shop has no fixtures. Create them first.' },
  shop_not_found: { status: 404, message: 'No shop has this slug.' },
  shop_settings_not_found: { status: 404, message: 'This shop has no settings.' },
  user_exists: { status: 409, message: 'A user with this e-mail address already exists.' },
  user_not_found: { status: 404, message: 'This user does not exist.' },
  webhook_exists: { status: 409, message: 'This shop already has a webhook endpoint with this url.' },
  webhook_not_found: { status: 404, message: 'This shop has no webhook endpoint with this uuid.' },
  zip_code_invalid: { status: 422, message: 'The zip code is not valid.' },
  // The contract gives this key two statuses: 400 for missing or malformed credentials, 401 for wrong credentials.
  invalid_merchant_or_key: {
    status: [401, 400],
    message: 'The credentials are missing or wrong. Send a username and its API key with HTTP Basic authentication.',
  },
  insufficient_rights: {
    status: 403,
    message: 'This API key has no access to this shop, or its role does not allow this operation.',
  },
  bad_gateway: { status: 502, message: 'A third-party service failed. Try again later.' },
  service_not_implemented: { status: 501, message: 'This operation is not available.' },
  unexpected: {
    status: 500,
    message: 'The service failed. Try again. If the error continues, contact us with the value of X-Correlation-Id.',
  },
  // Extensions
  route_not_found: { status: 404, message: 'This path does not exist. The page /docs lists all paths.' },
  method_not_allowed: {
    status: 405,
    message: 'This path does not support this method. The header Allow lists the supported methods.',
  },
  payload_too_large: { status: 413, message: 'The request or its response is too large. Send or ask for less data.' },
  emails_unavailable: {
    status: 409,
    message: 'This deployment of the service cannot send e-mails. Ask its operator to name a sender.',
  },
  email_suppressed: {
    status: 409,
    message:
      'E-mails to this address bounced, or their reader complained. Remove it from the suppressed addresses first.',
  },
  email_not_sent: {
    status: 502,
    message: 'The service that sends e-mails did not take this one. Try again, and check the address.',
  },
  suppression_not_found: { status: 404, message: 'This shop has no suppressed address with this id.' },
  rate_limited: {
    status: 429,
    message: 'You sent too many requests. Wait for the number of seconds in the header Retry-After, then try again.',
  },
  write_conflict: { status: 409, message: 'Another request changed the same data at the same time. Try again.' },
  changed_since_read: {
    status: 412,
    message:
      'Somebody changed this after you read it. Read it again, decide whether you still want your change, and send it with the new ETag.',
  },
  claim_not_found: { status: 404, message: 'This shop has no claim with this uuid.' },
  claim_closed: { status: 409, message: 'The claim is closed, so nobody can write in it any more.' },
  claim_transition_invalid: { status: 409, message: 'The claim cannot change to this status.' },
  withdrawal_not_found: { status: 404, message: 'This shop has no withdrawal with this uuid.' },
  withdrawal_transition_invalid: { status: 409, message: 'The withdrawal cannot change to this status.' },
  feed_off: {
    status: 409,
    message:
      'The feed of events is off. Switch it on with PATCH …/settings/events. It then holds what happens from that moment on.',
  },
  cursor_expired: {
    status: 410,
    message:
      'What followed this cursor is not kept any more. Begin again without `after`, and compare what you have with the ledger.',
  },
  automation_not_found: { status: 404, message: 'This shop has no automation with this id.' },
  automation_exists: {
    status: 409,
    message: 'This shop already has an automation with this name. Choose another name.',
  },
  internal_trigger_not_found: { status: 404, message: 'This integration has no internal trigger with this id.' },
  api_key_not_found: { status: 404, message: 'This shop has no API key with this token id.' },
  shipment_event_exists: {
    status: 409,
    message: 'The shipment already has this event at this time.',
  },
  webhook_delivery_not_found: {
    status: 404,
    message: 'This endpoint or integration has no delivery with this id. The service keeps deliveries for 30 days.',
  },
  page_not_found: {
    status: 404,
    message: 'There is no tracking page here. Check the link, or look the order up again.',
  },
  registration_not_found: { status: 404, message: 'This shop has no such registration.' },
  tracking_provider_not_found: { status: 404, message: 'This tracking provider is not set. Set it first.' },
  signature_invalid: {
    status: 401,
    message:
      'The signature is missing or wrong. Sign the raw body with the webhook_secret that is set for the provider.',
  },
  session_required: {
    status: 401,
    message: 'You are not logged in, or your session has ended. Log in again.',
  },
  simulation_not_found: { status: 404, message: 'This shop has no simulation with this uuid.' },
  simulation_clock_backwards: {
    status: 422,
    message: 'The clock of a simulation only goes forward. Name a time that is not before its clock.',
  },
  simulation_ended: {
    status: 409,
    message:
      'All steps of the simulation are done, or its clock would go too far past the last one. Start another simulation.',
  },
  privacy_request_not_found: { status: 404, message: 'This shop has no privacy request with this uuid.' },
  order_erased: {
    status: 409,
    message:
      'The personal data of this order was erased, and the request would bring some back. Send it without names, addresses, e-mail addresses and texts.',
  },
  registration_exists: { status: 409, message: 'This shop already has a registration of this type.' },
} as const satisfies Record<string, { status: number | readonly number[]; message: string }>;

export type ErrorKey = keyof typeof catalogue;
type ErrorType = 'api_error' | 'invalid_request_error';

/** One fault of a request. `loc` says where it is: `["body", "name"]`, `["query", "page"]`. */
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

export const isFaultOfService = (key: ErrorKey): boolean => statusesOf(key)[0]! >= 500;

export function errorBody(key: ErrorKey, details: { message?: string; errors?: FieldError[] } = {}): ErrorBody {
  const type = isFaultOfService(key) ? 'api_error' : 'invalid_request_error';
  return { key, message: details.message ?? catalogue[key].message, type, errors: details.errors ?? [] };
}
