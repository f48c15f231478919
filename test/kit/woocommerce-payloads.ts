/**
 * Orders as WooCommerce's webhooks send them, made after the properties of an order in
 * https://woocommerce.github.io/woocommerce-rest-api-docs/#orders and after what the plugin and the extensions write. All their times are
 * past: a state of more than a day ahead counts as one of now.
 */

type Given = Record<string, unknown>;
type Meta = { id: number; key: string; value: unknown };

/** A list of meta data. */
export const wooMeta = (values: Given): Meta[] =>
  Object.entries(values).map(([key, value], i) => ({ id: 71_200 + i, key, value }));

const person = {
  first_name: 'Jana',
  last_name: 'Köhler',
  company: '',
  address_1: 'Lindenallee 14',
  address_2: 'Hinterhaus',
  city: 'Nürnberg',
  state: 'DE-BY',
  postcode: '90402',
  country: 'DE',
  phone: '+49 911 5550142',
};

const nobody = Object.fromEntries(Object.keys(person).map((name) => [name, '']));

/** Two hoodies of a variation, at 29.99 each with tax. */
const hoodie = {
  id: 5011,
  name: 'Hoodie &amp; Cap - Blue, L',
  product_id: 93,
  variation_id: 104,
  quantity: 2,
  tax_class: '',
  subtotal: '50.40',
  subtotal_tax: '9.58',
  total: '45.36',
  total_tax: '8.62',
  taxes: [{ id: 75, total: '8.6184', subtotal: '9.576' }],
  meta_data: [
    { id: 40_001, key: 'pa_color', value: 'blue', display_key: 'Color', display_value: 'Blue' },
    { id: 40_002, key: 'pa_size', value: 'l', display_key: 'Size', display_value: '<p>L</p>' },
    { id: 40_003, key: '_reduced_stock', value: '2', display_key: '_reduced_stock', display_value: '2' },
  ],
  sku: 'HOOD-BLUE-L',
  price: 22.68,
  image: { id: '311', src: 'https://shop.example.com/wp-content/uploads/2026/03/hoodie-blue.jpg' },
  parent_name: 'Hoodie &amp; Cap',
};

/** One mug at 9.95 with tax, of a product that the shop has deleted. */
const mug = {
  id: 5012,
  name: 'Mug',
  product_id: 22,
  variation_id: 0,
  quantity: 1,
  tax_class: '',
  subtotal: '8.36',
  subtotal_tax: '1.59',
  total: '7.52',
  total_tax: '1.43',
  taxes: [{ id: 75, total: '1.4288', subtotal: '1.5884' }],
  meta_data: [],
  sku: null,
  price: 7.52,
  image: { id: '', src: '' },
  parent_name: null,
};

/** An order of a customer, of a German shop whose prices include tax: just placed, and the bank transfer has not come yet. */
export const wooOrder = (fields: Given = {}): Given => ({
  id: 7421,
  parent_id: 0,
  status: 'on-hold',
  currency: 'EUR',
  version: '9.4.1',
  prices_include_tax: true,
  date_created: '2026-11-10T17:15:47',
  date_modified: '2026-11-10T17:15:47',
  discount_total: '5.88',
  discount_tax: '1.12',
  shipping_total: '4.12',
  shipping_tax: '0.78',
  cart_tax: '10.05',
  total: '67.83',
  total_tax: '10.83',
  customer_id: 58,
  order_key: 'wc_order_5Qb2hJf8wYtZr',
  billing: { ...person, email: 'jana.koehler@mail.example.com' },
  shipping: { ...person, phone: '' },
  payment_method: 'bacs',
  payment_method_title: 'Direct bank transfer',
  transaction_id: '',
  customer_ip_address: '203.0.113.9',
  customer_user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0)',
  created_via: 'checkout',
  customer_note: 'Please ring twice.',
  date_completed: null,
  date_paid: null,
  cart_hash: '4b1f4e3a2d7c8b90a1b2c3d4e5f60718',
  number: '7421',
  meta_data: wooMeta({
    is_vat_exempt: 'no',
    marketplace: 'M-77',
    wpml_language: 'de',
    _wc_order_attribution_source_type: 'utm',
    _wc_order_attribution_referrer: 'https://news.example.com/gifts',
    _wc_order_attribution_utm_source: 'newsletter',
    _wc_order_attribution_utm_medium: 'email',
    _wc_order_attribution_utm_campaign: 'autumn',
    _wc_order_attribution_session_entry: 'https://shop.example.com/sale/?utm_source=newsletter',
    _wc_order_attribution_session_start_time: '2026-11-10 16:02:11',
    _wc_order_attribution_device_type: 'Desktop',
  }),
  line_items: [hoodie, mug],
  tax_lines: [
    {
      id: 5020,
      rate_code: 'DE-MWST-1',
      rate_id: 75,
      label: 'MwSt.',
      compound: false,
      tax_total: '10.05',
      shipping_tax_total: '0.78',
      rate_percent: 19,
      meta_data: [],
    },
  ],
  shipping_lines: [
    {
      id: 5013,
      method_title: 'DHL Paket',
      method_id: 'flat_rate',
      instance_id: '3',
      total: '4.12',
      total_tax: '0.78',
      taxes: [{ id: 75, total: '0.7828', subtotal: '' }],
      meta_data: [],
    },
  ],
  fee_lines: [],
  coupon_lines: [
    {
      id: 5014,
      code: 'autumn10',
      discount: '5.8824',
      discount_tax: '1.1176',
      meta_data: [],
      discount_type: 'percent',
      nominal_amount: 10,
      free_shipping: false,
    },
  ],
  refunds: [],
  payment_url: 'https://shop.example.com/checkout/order-pay/7421/?pay_for_order=true&key=wc_order_5Qb2hJf8wYtZr',
  is_editable: true,
  needs_payment: false,
  needs_processing: true,
  date_created_gmt: '2026-11-10T16:15:47',
  date_modified_gmt: '2026-11-10T16:15:47',
  date_completed_gmt: null,
  date_paid_gmt: null,
  currency_symbol: '€',
  _links: {
    self: [{ href: 'https://shop.example.com/wp-json/wc/v3/orders/7421' }],
    collection: [{ href: 'https://shop.example.com/wp-json/wc/v3/orders' }],
    customer: [{ href: 'https://shop.example.com/wp-json/wc/v3/customers/58' }],
  },
  ...fields,
});

/** The meta data of `wooOrder` with more. */
export const withWooMeta = (values: Given): Meta[] => [...(wooOrder().meta_data as Meta[]), ...wooMeta(values)];

/** At a time of that order's day. */
const changed = (time: string): Given => ({
  date_modified: time.replace(/T\d\d/, (hour) => `T${String(Number(hour.slice(1)) + 1).padStart(2, '0')}`),
  date_modified_gmt: time,
});

const paid = { date_paid: '2026-11-10T17:16:30', date_paid_gmt: '2026-11-10T16:16:30' };

/** The customer is still at the payment, or has left. */
export const wooUnpaid = (fields: Given = {}) =>
  wooOrder({
    status: 'pending',
    payment_method: 'stripe',
    payment_method_title: 'Card',
    needs_payment: true,
    ...fields,
  });

export const wooProcessing = (fields: Given = {}) =>
  wooOrder({ status: 'processing', ...paid, ...changed('2026-11-10T16:16:30'), ...fields });

/** By "Shipment Tracking" of WooCommerce. A day that somebody chose is its midnight, in seconds and as a text. */
export const officialTracking = (number: string, fields: Given = {}) => ({
  tracking_provider: 'DHL Intraship (DE)',
  custom_tracking_provider: '',
  custom_tracking_link: '',
  tracking_number: number,
  date_shipped: '1794441600',
  tracking_id: '0b4f1c7f6a2d3e9c8b7a6f5e4d3c2b1a',
  ...fields,
});

/** By "Advanced Shipment Tracking" of zorem, in its PRO version with the products of the parcel. */
export const zoremTracking = (number: string, fields: Given = {}) => ({
  tracking_provider: 'dpd-de',
  custom_tracking_provider: '',
  custom_tracking_link: '',
  tracking_number: number,
  tracking_product_code: '',
  source: 'REST_API',
  date_shipped: 1794475800,
  status_shipped: '1',
  tracking_id: '9a8b7c6d5e4f30211203f4e5d6c7b8a9',
  user_id: 1,
  products_list: [{ product: '22', item_id: '5012', qty: '1' }],
  ...fields,
});

/** By the plugin of AfterShip. An empty object becomes a list on its way through PHP. */
export const afterShipTracking = (number: string, fields: Given = {}) => ({
  slug: 'dhl-germany',
  tracking_number: number,
  tracking_id: 'c0ffee00c0ffee00c0ffee00c0ffee00',
  additional_fields: [],
  line_items: [{ id: 5011, quantity: 1 }],
  metrics: { created_at: '2026-11-12T10:31:00Z', updated_at: '2026-11-12T10:31:00Z' },
  ...fields,
});

/** One of the parcels is on its way. */
export const wooPartiallyShipped = (fields: Given = {}) =>
  wooProcessing({
    status: 'partial-shipped',
    ...changed('2026-11-12T09:30:00'),
    meta_data: withWooMeta({ _wc_shipment_tracking_items: [zoremTracking('01405400945058', { status_shipped: '2' })] }),
    ...fields,
  });

/** Both parcels are. */
export const wooCompleted = (fields: Given = {}) =>
  wooProcessing({
    status: 'completed',
    date_completed: '2026-11-12T15:05:10',
    date_completed_gmt: '2026-11-12T14:05:10',
    ...changed('2026-11-12T14:05:10'),
    meta_data: withWooMeta({
      _wc_shipment_tracking_items: [
        zoremTracking('01405400945058', { status_shipped: '2' }),
        officialTracking('00340434161094042557'),
      ],
    }),
    ...fields,
  });

export const wooCancelled = (fields: Given = {}) =>
  wooOrder({ status: 'cancelled', ...changed('2026-11-10T18:00:00'), ...fields });

const refund = (id: number, total: string, reason = '') => ({ id, reason, total });

/** The mug came broken. */
export const wooPartiallyRefunded = (fields: Given = {}) =>
  wooCompleted({
    ...changed('2026-11-14T08:00:00'),
    refunds: [refund(7502, '-8.95', 'broken')],
    ...fields,
  });

export const wooRefunded = (fields: Given = {}) =>
  wooCompleted({
    status: 'refunded',
    ...changed('2026-11-17T08:00:00'),
    refunds: [refund(7502, '-8.95', 'broken'), refund(7510, '-58.88')],
    ...fields,
  });

/** A guest in the United States bought a download, in a shop whose prices are without tax, and pays a fee. */
export const wooGuestOrder = (fields: Given = {}): Given =>
  wooOrder({
    id: 7422,
    number: 'US-000318',
    status: 'completed',
    currency: 'USD',
    prices_include_tax: false,
    customer_id: 0,
    discount_total: '0.00',
    discount_tax: '0.00',
    shipping_total: '0.00',
    shipping_tax: '0.00',
    total: '13.07',
    billing: {
      ...nobody,
      first_name: 'Ada',
      last_name: 'Reyes',
      company: 'Reyes & Sons',
      address_1: '92 Chestnut Street',
      city: 'Oakland',
      state: 'CA',
      postcode: '94607',
      country: 'US',
      email: 'ada@mail.example.com',
      phone: '',
    },
    shipping: nobody,
    customer_note: '',
    customer_user_agent: '',
    meta_data: [],
    line_items: [
      {
        ...mug,
        id: 6001,
        name: 'Pattern book (PDF)',
        product_id: 51,
        quantity: 3,
        subtotal: '10.00',
        subtotal_tax: '0.93',
        total: '10.00',
        total_tax: '0.93',
        sku: '',
        price: 3.3333333333333335,
      },
    ],
    shipping_lines: [],
    fee_lines: [
      {
        id: 6002,
        name: 'Handling',
        tax_class: '',
        tax_status: 'taxable',
        amount: '2.00',
        total: '2.00',
        total_tax: '0.14',
        taxes: [],
        meta_data: [],
      },
    ],
    coupon_lines: [],
    ...paid,
    ...fields,
  });

/** What the hook of a person who lost the right to see orders sends, with a valid signature. */
export const wooErrorBody = {
  code: 'woocommerce_rest_cannot_view',
  message: 'Sorry, you cannot view this resource.',
  data: { status: 401 },
};

/** An order at each of its stages. */
export const wooStages = {
  placed: wooOrder,
  processing: wooProcessing,
  'partially shipped': wooPartiallyShipped,
  completed: wooCompleted,
  cancelled: wooCancelled,
  'partially refunded': wooPartiallyRefunded,
  refunded: wooRefunded,
};

/** The text of a body as PHP writes it: in ASCII, with a backslash before each slash. */
export const wooJson = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll('/', '\\/')
    .replace(/[\u007f-\uffff]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
