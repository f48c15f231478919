import Type, { type Static } from 'typebox';
import { claimReasons, claimStatuses, withdrawalStatuses } from '../catalogues/enumerations.ts';
import { pageContentLimits, ratingLimits } from '../catalogues/limits.ts';
import { flags, phases, shipmentEventNames } from '../catalogues/shipment-events.ts';
import { EstimatedArrival, EventStrings } from './order-shapes.ts';
import { BrandPalette } from './settings-shapes.ts';
import { Choice, DateTime, LanguageTag, Nullable, Shape, Url, Uuid } from './shapes.ts';

/** What a customer sees of an order. Nothing here is personal, and nothing names a price. */

const Link = (description: string) => Nullable(Type.String({ description }));

const PageEvent = Shape('TrackingPageEvent', {
  event_name: Choice(shipmentEventNames, { description: 'What happened.' }),
  phase: Choice(phases, { description: 'Where the parcel is in its journey after the event.' }),
  time: DateTime({ description: 'When it happened.' }),
  timezone: Nullable(
    Type.String({
      description:
        'The time zone of the place, such as `Europe/Berlin`. If none of the parcel is known, that of the country of the ' +
        'customer. Null if neither is known.',
    }),
  ),
  location: Nullable(
    Shape('TrackingPagePlace', {
      city: Nullable(Type.String()),
      country_code: Nullable(Type.String()),
    }),
  ),
  event_strings: EventStrings,
});

const PageProduct = Shape('TrackingPageProduct', {
  title: Type.String(),
  variant_title: Nullable(Type.String()),
  quantity: Type.Integer(),
  sku: Nullable(Type.String()),
  image_url: Link('The first picture of the product.'),
});

const PickupPoint = Shape(
  'TrackingPagePickup',
  {
    type: Nullable(
      Type.String({
        description: 'The kind of place, as the carrier names it. `neighbour`: a neighbour has the parcel.',
      }),
    ),
    name: Nullable(Type.String({ description: 'The name of the place. Null for a neighbour.' })),
    address: Nullable(
      Type.Array(Type.String(), { description: 'The address of the place, line by line. Null for a neighbour.' }),
    ),
    url: Link('A page about the place. Null for a neighbour.'),
    opening_hours: Nullable(
      Type.Unsafe<Record<string, string>>({
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'The opening hours by day, as the carrier writes them.',
      }),
    ),
    date_to: Nullable(DateTime({ description: 'Until when the parcel can be collected.' })),
  },
  {
    description:
      'Where the parcel can be collected, or will be. Null after the delivery, unless a neighbour has the parcel.',
  },
);

const PageParcel = Shape('TrackingPageParcel', {
  number: Type.Integer({
    description: 'The number of the parcel among those of the shop, or among the returns. It stays when parcels move.',
  }),
  tracking_number: Nullable(Type.String({ description: 'Null if the parcel has no number yet.' })),
  carrier: Shape('TrackingPageCarrier', {
    carrier_reference: Nullable(Type.String()),
    name: Nullable(Type.String({ description: 'The name of the carrier as customers know it.' })),
    tracking_url: Link("The link to the carrier's own tracking page."),
  }),
  is_return: Type.Boolean({ description: 'Whether the customer sends the parcel.' }),
  phase: Choice(phases, { description: 'Where the parcel is in its journey.' }),
  flag: Choice(flags, { description: 'Whether the event that decides the phase reports a delay or an error.' }),
  event_name: Choice(shipmentEventNames, { description: 'The event that decides the phase.' }),
  event_strings: EventStrings,
  estimated_arrival: Nullable(EstimatedArrival),
  pickup: Nullable(PickupPoint),
  products: Type.Array(PageProduct, {
    description: `At most ${pageContentLimits.productsOfParcel}. Empty if the shop does not show products, or did not say what is in the parcel.`,
  }),
  products_of: Choice(['parcel', 'order'], {
    description:
      '`parcel`: the products are in this parcel. `order`: they are all products of the order, because the shop did not ' +
      'say what is in the parcel. At most one parcel has these.',
  }),
  events: Type.Array(PageEvent, { description: `Newest first, at most ${pageContentLimits.eventsOfParcel}.` }),
  rating: Nullable(
    Shape(
      'TrackingPageRating',
      {
        stars: Type.Integer({ minimum: 1, maximum: ratingLimits.stars, description: 'From 1 to 5, the best.' }),
        text: Nullable(Type.String({ description: "The customer's own words." })),
        at: DateTime({ description: 'When it was given.' }),
      },
      { description: 'How the customer liked the delivery. Null if the customer did not say.' },
    ),
  ),
});

const PagePromotion = Shape('TrackingPagePromotion', {
  promotion_id: Uuid(),
  title: Nullable(Type.String()),
  subtitle: Nullable(Type.String()),
  cta_label: Nullable(Type.String({ description: 'The text on the button.' })),
  image_url: Link('The picture of the promotion.'),
  discount_code: Nullable(Type.String()),
  url: Link(
    'The link of the button. It counts the click and leads to the page of the shop. Null if there is no button.',
  ),
  products: Type.Array(
    Shape('TrackingPagePromotedProduct', {
      title: Type.String(),
      image_url: Link('The picture of the product.'),
      product_url: Link('The page of the product in the shop.'),
    }),
  ),
});

const PageDeal = Shape('TrackingPageDeal', {
  title: Nullable(Type.String()),
  description: Nullable(Type.String()),
  brand_image_url: Link('The picture of the deal.'),
  brand_logo_url: Link('The logo of the brand.'),
  cta_url: Link('The page of the deal.'),
  discount_code: Nullable(Type.String()),
});

const PageMessage = Shape('TrackingPageMessage', {
  at: DateTime({ description: 'When it was written.' }),
  from: Choice(['shop', 'customer'], { description: 'Who wrote it.' }),
  author: Nullable(
    Type.String({ description: 'The name of the shop, whoever of its people wrote it. Null for the customer.' }),
  ),
  text: Type.String({ description: 'What was written, as it was written.' }),
  image_urls: Type.Array(Type.String(), {
    description:
      'Pictures. Those that customers sent, and other private ones, have links that work for ten minutes. ' +
      `All messages of a claim together have the newest ${pageContentLimits.photosOfMessages}.`,
  }),
});

/** The facts of a tracking page, which the page itself is made from. */
export const TrackingPage = Shape('TrackingPage', {
  order_number: Type.String(),
  language: LanguageTag({ description: 'The language of all texts.' }),
  shop: Shape('TrackingPageShop', {
    name: Type.String(),
    logo_url: Link('The logo of the shop.'),
    contact_phone: Nullable(Type.String({ description: 'The phone number for questions to the shop.' })),
    contact_email: Nullable(Type.String({ description: 'The e-mail address for questions to the shop.' })),
    palette: BrandPalette,
  }),
  parcels: Type.Array(PageParcel, {
    description:
      `The parcels of the order, at most ${pageContentLimits.parcels}. The one that needs attention comes first. All together have at ` +
      `most ${pageContentLimits.events} events and ${pageContentLimits.products} products of their own.`,
  }),
  promotion: Nullable(PagePromotion),
  deals: Type.Array(PageDeal),
  announcements: Type.Array(Shape('TrackingPageAnnouncement', { text: Type.String() })),
  claims: Type.Array(
    Shape('TrackingPageClaim', {
      uuid: Uuid(),
      number: Type.String({ description: 'What customer and shop call the claim: the end of its uuid.' }),
      reason: Choice(claimReasons),
      status: Choice(claimStatuses),
      created_at: DateTime(),
      description: Nullable(
        Type.String({
          description: `The first ${pageContentLimits.claimCharacters} characters of the customer's own words.`,
        }),
      ),
      messages: Type.Array(PageMessage, {
        description: `What shop and customer wrote to each other, newest last. The newest ${pageContentLimits.messagesOfClaim}.`,
      }),
    }),
    { description: 'The claims of the order, newest first.' },
  ),
  withdrawal: Nullable(
    Shape(
      'TrackingPageWithdrawal',
      { status: Choice(withdrawalStatuses, { description: 'What became of it.' }) },
      { description: 'Null if the customer has not withdrawn from the contract.' },
    ),
  ),
  links: Shape('TrackingPageLinks', {
    page_url: Type.String({ description: 'The address of the page itself.' }),
    claim_url: Link('Where the customer reports a problem. Null if the shop takes no claims on its page.'),
    rating_url: Link('Where the customer says how a delivery was. Null if the shop does not ask for it.'),
    withdrawal_url: Link(
      'Where the customer withdraws from the contract. Null if the shop does not offer it, the period is over, or the customer ' +
        'has withdrawn.',
    ),
    shop_url: Link('The online shop.'),
    service_url: Link('The customer service of the shop.'),
    faq_url: Link('Questions and answers.'),
    support_url: Link('The page that the settings of the tracking page name for help.'),
    privacy_url: Link('The privacy policy.'),
    imprint_url: Link('Who is responsible for the shop.'),
  }),
});

const switches = {
  enabled: Type.Boolean({ description: 'Whether orders have a tracking page. Default: true.' }),
  claims_enabled: Type.Boolean({ description: 'Whether customers can report a problem on the page. Default: true.' }),
  show_products: Type.Boolean({ description: 'Whether the page shows the products of the order. Default: true.' }),
  show_predictions: Type.Boolean({
    description:
      'Whether the page and the e-mails to customers show when the service expects a parcel whose carrier names no time: ' +
      '`estimated_arrival` with the source `prediction`. What the carrier says is always shown, and answers and webhooks are the same ' +
      'either way. Default: true.',
  }),
  ratings_enabled: Type.Boolean({
    description: 'Whether the page asks customers how they liked the delivery of a parcel. Default: false.',
  }),
  withdrawal_enabled: Type.Boolean({
    description:
      'Whether customers can withdraw from the contract on the page while the period runs. It is acknowledged by e-mail, so the ' +
      'deployment must have a sender. Default: false.',
  }),
  withdrawal_days: Type.Integer({
    minimum: 14,
    maximum: 365,
    description:
      'How many days the period has, counted from the day after the last parcel was handed over. Default: 14.',
  }),
};

const links = {
  support_url: Nullable(Url({ description: 'Where customers find help, beside the links of the shop.' })),
  privacy_url: Nullable(Url({ description: 'The privacy policy of the shop.' })),
  imprint_url: Nullable(Url({ description: 'The page that says who is responsible for the shop.' })),
};

export const TrackingPageSettings = Shape('TrackingPageSettings', { ...switches, ...links });
export const TrackingPageSettingsUpdate = Shape(
  'TrackingPageSettingsUpdate',
  {
    enabled: Type.Optional(Nullable(switches.enabled)),
    claims_enabled: Type.Optional(Nullable(switches.claims_enabled)),
    show_products: Type.Optional(Nullable(switches.show_products)),
    show_predictions: Type.Optional(Nullable(switches.show_predictions)),
    ratings_enabled: Type.Optional(Nullable(switches.ratings_enabled)),
    withdrawal_enabled: Type.Optional(Nullable(switches.withdrawal_enabled)),
    withdrawal_days: Type.Optional(Nullable(switches.withdrawal_days)),
    ...Type.Partial(Type.Object(links)).properties,
  },
  { description: 'Only the given fields change. Null restores the default.' },
);

export type TrackingPage = Static<typeof TrackingPage>;
export type PageParcel = Static<typeof PageParcel>;
export type PageEvent = Static<typeof PageEvent>;
export type TrackingPageSettings = Static<typeof TrackingPageSettings>;
