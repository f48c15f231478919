/**
 * What stays of an erased order, from the contract ("Numbers, products, amounts, phases and times stay") and its list of
 * what goes. It is written by hand and knows nothing of the declarations in the code, which it checks.
 */
const keptFields: readonly RegExp[] = [
  // Numbers and ids that the shop, the carrier or we gave.
  /[. ](order_number|order_name|external_id|external_shipment_id|tracking_number|tracking_numbers\.\*|carrier_reference)$/,
  /^(upsertOrder|placeOrder|receiveShopWebhook|createShipment|createShipmentEvent|upsertAttribution) (id|order_id)$/,
  /^fulfilOrders .*\bid$/,
  /^receiveShopWebhook name$/,
  // Products and discounts.
  /[. ](products|bundled_products|line_items|discounts|discount_codes)\.\*\./,
  /[. ](selected_items|damaged_product_items)\.\*\.(sku|title)$/,
  // Amounts and states.
  /[. ](currency|financial_status|fulfillment_status|status)$/,
  // Times and where they come from, and zones.
  /[. ](expected_delivery|preferred_delivery_date)\./,
  / timezone$/,
  // Carriers. A link to the carrier's page is made of the number.
  /[. ](tracking_company|tracking_url)$/,
  // Of which kind the place is where a parcel waits, not which it is.
  /[. ]pickup\.type$/,
  // How the merchant calls a request.
  /^createPrivacyRequest reference$/,
  // Which question of the shop's form was answered, not the answer.
  /^createClaim step_user_input\.\*\.(step_id|user_input\.input_type)$/,
];

/** The same field names within what must go. */
const goneFields: readonly RegExp[] = [
  /[. ](order_analytics|note_attributes|additional_info|image_urls)\b/,
  /^upsertAttribution (?!id$)/,
];

export const mayStay = (place: string): boolean =>
  keptFields.some((kept) => kept.test(place)) && !goneFields.some((gone) => gone.test(place));
