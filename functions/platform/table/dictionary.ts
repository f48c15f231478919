/**
 * What orders, shipments and payloads have in common: the names of their fields, and values that many of them have. No
 * dictionary may ever change, because what was packed with it can only be unpacked with it. A better one is added.
 */

/**
 * The English texts of the phases and of the most frequent events, as payloads contain them. Other languages are packed
 * without.
 */
const texts = [
  '"header_headline":"Ready to collect","header_title":"Your parcel is waiting to be collected",',
  '"header_subtitle":"It is kept for a limited time. Whoever collects it should bring ID and, if one was sent,',
  ' the collection code.","header_headline":"Not delivered yet",',
  '"header_title":"Your parcel could not be delivered",',
  '"header_subtitle":"The carrier will arrange the next step,',
  ' and you will find it here as soon as it is known.","header_headline":"Delivered",',
  '"header_title":"Your parcel has arrived",',
  '"header_subtitle":"We hope everything is as it should be. If something is missing or damaged,',
  ' customer service is there to help.","header_headline":"The last stretch",',
  '"header_title":"Your parcel is out for delivery",',
  '"header_subtitle":"The courier is bringing it to the delivery address. If nobody can take it in,',
  ' you will find the next step here.","header_headline":"On its way",',
  '"header_title":"Your parcel is on its way",',
  '"header_subtitle":"It is travelling through the carrier’s network. Each new step of its journey appears here.",',
  '"header_headline":"Getting ready","header_title":"Your order is registered","header_subtitle":"Next,',
  ' the parcel is packed and passed to the carrier. You can follow every step here.",',
  '"header_headline":"Cancelled","header_title":"This shipment has been cancelled",',
  '"header_subtitle":"The parcel will not be sent. If you did not expect this,',
  ' please contact customer service.","header_headline":"Almost on its way",',
  '"header_title":"Your parcel is ready for its journey",',
  '"header_subtitle":"The carrier does not have it yet. As soon as it does, you can follow the journey here.",',
  '"header_headline":"Return registered","header_title":"Your return is registered",',
  '"header_subtitle":"Pack the items well,',
  ' attach the return label and hand the parcel to the carrier. You can then follow it here.",',
  '"header_headline":"Return not completed","header_title":"The parcel could not be returned",',
  '"header_subtitle":"We are sorry about this. Please contact customer service to find out what can be done.",',
  '"header_headline":"Back with the sender","header_title":"The parcel is back with its sender",',
  '"header_subtitle":"Not sure what happens next? Customer service can help you with any question.",',
  '"header_headline":"On its way back","header_title":"The parcel is on its way back",',
  '"header_subtitle":"You can follow its journey here. If you have a question about it,',
  ' customer service can help.","header_headline":"Returned","header_title":"The parcel has been sent back",',
  '"header_subtitle":"It did not reach its recipient. Customer service can tell you what happens next.",',
  '"event_status":"Your parcel has been delivered and left at the door.","list_label":"Left at the door",',
  '"event_status":"A neighbour has taken in your parcel.","list_label":"Delivered to a neighbour",',
  '"header_headline":"Delivered","header_title":"A neighbour has taken in the parcel",',
  '"header_subtitle":"It can be picked up there. If it is not clear which neighbour has it,',
  ' customer service can help.","event_status":"Your parcel has been delivered.","list_label":"Delivered",',
  '"event_status":"The courier is on the way with your parcel.","list_label":"With the courier",',
  '"event_status":"Your parcel is on the road to its destination.","list_label":"On its way",',
  '"event_status":"Your order has been prepared and is ready to go to the carrier.",',
  '"list_label":"Order ready to ship","event_status":"Your order is registered,',
  ' and the parcel will be packed and sent next.","list_label":"Order registered",',
];

/** An outgoing event. */
const payload = [
  '"}{"source":"shipments","ref":"shipments/order_processed/ORDER_PROCESSED","version":1,"triggered_at":"20",',
  '"event_group":"shipment_pre_transit","event_group":"shipment_in_transit","event_group":"shipment_delivered",',
  '"event_data":{"shipment_id":"","carrier_reference":"","event_name":"","phase":"in_transit",',
  '"phase":"out_for_delivery","phase":"delivered","tracking_number":"","tracking_url":"","updated_at":"",',
  '"event_group":"","order_number":"","order_name":"#","zip_code":"","shipping_address":"",',
  '"total_order_value":0,"order_currency":"EUR","order_status_url":"https://","external_customer_id":"",',
  '"external_order_id":"","customer_first_name":"","customer_last_name":"","customer_country":"",',
  '"number_of_shipments":1},"shop_slug":"","shop_id":"","state":"fulfilled","merchant_slug":"","shop_slug":"",',
  '"tracking_page_url":"https:///t/","trackings":[{"uuid":"","id":"","merchant_id":"","order_id":"",',
  '"merchant_slug":"","shop_slug":"","order_number":"","carrier":{"tracking_number":"",',
  '"carrier_reference":"dhl","tracking_url":"https://"},"direction":"merchant_customer","is_return":false,',
  '"flag":"normal","phase":"order_processed","events":[{"event_key":"ORDER_CREATED",',
  '"event_name":"ORDER_CREATED","phase":"order_created","time":"20","timezone":null,"language":"en",',
  '"event_strings":{"header_headline":"","header_title":"","header_subtitle":"","event_status":"",',
  '"list_label":""},"location":null,"additional_info":null}],"estimated_arrival":null,"pickup":null,',
  '"products":[],"tracking_submission":null,"updated_at":"20"}]},"customer":{"external_id":"","email":"",',
  '"first_name":"","last_name":"","full_name":"","phone":"+49 "},"shipments":[{"uuid":""}],"claims":[]}\n',
];

/** A shipment. */
const shipment = [
  '"}\n{"uuid":"","order_id":"","order_number":"","tracking_number":"","carrier_reference":"dhl",',
  '"tracking_url":"https://www.dhl.de/de/privatkunden/pakete-empfangen/verfolgen.html?piececode=",',
  '"direction":"merchant_customer","external_shipment_id":null,"products":null,',
  '"events":[{"event_name":"ORDER_CREATED","time":"20"},{"event_name":"ORDER_PROCESSED","time":"20"},',
  '{"event_name":"SHIPMENT_EN_ROUTE","time":"20","location":{"city":"","country_code":"DE"}},',
  '{"event_name":"IN_DELIVERY","time":"20"},{"event_name":"SUCCESSFULLY_DELIVERED","time":"20","timezone":null,',
  '"additional_info":null,"external_id":null}],"expected_delivery":null,"pickup":null,"forecast_by":null,',
  '"pickup_by":null,"created_at":"20","updated_at":"20',
];

/** An order. */
const order = [
  '{"order_analytics":{"source":"","campaign":"","medium":"","landing_url":"https://","landing_path":"/",',
  '"referrer":"https://","note_attributes":[{"name":"","value":""}]},"preferred_delivery_date":{"start":"",',
  '"end":"","updated_at":"","source":""},"user_agent":"Mozilla/5.0 (","discount_price":0,',
  '"products":[{"title":"","variant_title":"","sku":"","size":"","quantity":1,"price":0,"weight":0,',
  '"requires_shipping":true,"tax_lines":[],"type":"product","bundled_products":[],',
  '"images":[{"src":"https://cdn.shopify.com/s/files/","alt":""}]},{"title":"","variant_title":"","sku":"",',
  '"quantity":1,"price":9.9,"weight":0}],"discounts":[{"code":"","amount":"","type":"percentage"}],',
  '"currency":"EUR","order_analytics":{},"external_id":"","order_name":"#","order_placed_at":"20",',
  '"email_id":"@gmail.com","address":{"name":"","address_line_1":"","address_line_2":"","street":"",',
  '"company":"","province":"","province_code":"","zip_code":"","city":"","country":"Germany",',
  '"country_code":"DE","phone":"+49 "},"total_order_price":0,"sub_total_price":0,"shipping_price":4.9,',
  '"weight":0,"segments":["newsletter"],"external_customer_id":"",',
  '"order_status_url":"https://www..com/orders/","expected_number_of_shipments":1,"financial_status":"paid",',
  '"order_number":"","uuid":"","created_at":"20","updated_at":"20","drafts":[{"slot":1,"created_at":"20"}],',
  '"shipments":[],"next_slot":2,"page_token":"',
];

/** What follows a shipment or order that has events in it, as enclosed-events.ts packs them. */
const enclosure = [
  '","enclosed":[{"event_name":"ORDER_CREATED","time":"20","triggered_at":"20","slots":[1]},',
  '{"event_name":"ORDER_PROCESSED","time":"20","triggered_at":"20","direction":"customer_merchant"}]}\n',
  '{"events":1,"region":"us-west-2"}{"events":1,"region":"ap-southeast-1"}{"events":1,"region":"us-east-1"}',
  '{"events":1,"region":"eu-west-1"}{"events":1,"region":"eu-central-1","cause":"","submits":true}\n',
];

/** What is used most stands last, where the compression finds it with the fewest bits. */
const first = [...texts, ...payload, ...shipment, ...order];
const second = [...texts, ...payload, ...shipment, ...enclosure, ...order];

/** All that this version reads. */
export const dictionaries: readonly Buffer[] = [first, second].map((parts) => Buffer.from(parts.join('')));

/**
 * The one that this version writes. A new dictionary is added to those that are read in one release, and written in the
 * next: functions are replaced one after the other, and a release may be taken back.
 */
export const written = dictionaries[1]!;
