import Type, { type Static } from 'typebox';
import { claimReasons, languages, resolutionPreferences } from '../catalogues/enumerations.ts';
import {
  claimLimits,
  formLimits,
  pageLimits,
  ratingLimits,
  sizeText,
  storefrontLimits,
  withdrawalLimits,
} from '../catalogues/limits.ts';
import { shipmentEventNames } from '../catalogues/shipment-events.ts';
import { BrandPaletteUpdate } from '../shapes/settings-shapes.ts';
import { Choice, Defaulted, File, LanguageTag, Nullable, Shape, Text, Uuid } from '../shapes/shapes.ts';
import { TrackingPage, TrackingPageSettingsUpdate } from '../shapes/tracking-page.ts';
import { PromotionPropertiesUpdate, promotionTypes } from './campaigns.ts';
import { optionalDealFields } from './deals.ts';
import { declare, Page, shopPath } from './operation.ts';

// Any text, because a malformed token must not be told apart from an unknown one.
const Token = Type.String({ description: 'The last part of the `tracking_page_url` of an order.' });
const tokenParams = Type.Object({ token: Token });

const unsubscribeParams = Type.Object({
  token: Type.String({ description: 'The last part of the link to unsubscribe in an e-mail.' }),
});

const LanguageQuery = Type.Object({
  lang: Type.Optional(
    Type.String({
      description: `The language of the page: ${languages.join(', ')}, also with a region, such as \`de-AT\`. Another text is ignored. Default: by the header \`Accept-Language\`, otherwise the language of the shop.`,
    }),
  ),
});

const PageQuery = Type.Object({
  ...LanguageQuery.properties,
  sent: Type.Optional(
    Type.String({
      description:
        'The page thanks for what was just sent. `1`: a report. `message`: a message in a claim. `rating`: a rating. Another text ' +
        'is ignored.',
    }),
  ),
});

const ClaimForm = Shape('ClaimForm', {
  form_key: Text(200, { description: 'The hidden field of the form. It protects the form against forgery.' }),
  reason: Choice(claimReasons, { description: 'Why the customer makes the claim.' }),
  description: Type.Optional(
    Text(claimLimits.descriptionCharacters, { description: "The claim in the customer's own words." }),
  ),
  resolution_preference: Type.Optional(
    Choice(resolutionPreferences, { description: 'What the customer would like to get.' }),
  ),
  selected_items: Type.Optional(
    Type.Array(Text(255), {
      description:
        'The sku of a product that the claim is about. The field may be repeated. A product without a sku, or with the ' +
        'sku of another product in the parcel, has another value, which the form shows.',
    }),
  ),
  tracking_number: Type.Optional(
    Text(255, {
      description:
        'The parcel that the claim is about. One without a number has another value, which the form shows. Default: the ' +
        'parcel with the selected items; without items, the first one on the page that has a number.',
    }),
  ),
  images: Type.Optional(Type.Array(File(), { maxItems: formLimits.files, description: 'Photos, as files.' })),
});

const FormKey = () => Text(200, { description: 'The hidden field of the form. It protects the form against forgery.' });

const MessageForm = Shape('ClaimMessageForm', {
  form_key: FormKey(),
  text: Text(claimLimits.messageCharacters, { description: 'What the customer writes to the shop.' }),
  images: Type.Optional(Type.Array(File(), { maxItems: formLimits.files, description: 'Photos, as files.' })),
});

const RatingForm = Shape('RatingForm', {
  form_key: FormKey(),
  stars: Choice(['1', '2', '3', '4', '5'], { description: 'How the customer liked the delivery: 5 is best.' }),
  text: Type.Optional(Text(ratingLimits.textCharacters, { description: "The customer's own words." })),
  parcel: Type.Optional(
    Text(255, {
      description:
        'The tracking number of the parcel. One without a number has another value, which the form shows. Default: the first ' +
        'parcel on the page that was delivered and has no rating.',
    }),
  ),
});

const WithdrawalForm = Shape('WithdrawalForm', {
  form_key: FormKey(),
  name: Text(withdrawalLimits.nameCharacters, { description: 'The name of the customer.' }),
  email_id: Text(withdrawalLimits.emailCharacters, { description: 'Where the acknowledgement goes.' }),
  items: Type.Optional(
    Type.Array(Text(255), {
      description: 'What the customer withdraws from, by the values that the form shows. The field may be repeated.',
    }),
  ),
});

const LookupForm = Shape('LookupForm', {
  order_number: Text(255, { description: 'The number of the order.' }),
  email_or_postcode: Text(320, { description: 'The e-mail address of the customer, or the postcode of the delivery.' }),
});

const UnsubscribeForm = Shape('UnsubscribeForm', {
  'List-Unsubscribe': Type.Optional(
    Choice(['One-Click'], { description: 'What a mail program sends when its user unsubscribes (RFC 8058).' }),
  ),
  emails: Type.Optional(Choice(['off', 'on'], { description: 'What the button of the page sends.' })),
});

const DiscountId = Type.Optional(Nullable(Uuid({ description: 'The discount whose code is shown.' })));

/** More than a page shows, because a form may hold more. */
const maxDrafts = 20;

/** What a merchant has typed and not saved. It has the fields of the requests that would save it. */
const PageDraft = Shape('TrackingPageDraft', {
  palette: Type.Optional(BrandPaletteUpdate),
  page_settings: Type.Optional(TrackingPageSettingsUpdate),
  campaign: Type.Optional(
    Shape('DraftCampaign', {
      promotion_type: Defaulted(Choice(promotionTypes, {}), 'basic'),
      promotion_properties: Type.Optional(PromotionPropertiesUpdate),
      discount_id: DiscountId,
    }),
  ),
  deals: Type.Optional(
    Type.Array(Shape('DraftDeal', { ...optionalDealFields, discount_id: DiscountId }), { maxItems: maxDrafts }),
  ),
  announcements: Type.Optional(
    Type.Array(Shape('DraftAnnouncement', { text: Text(5000), language: LanguageTag() }), { maxItems: maxDrafts }),
  ),
  show_storefront: Defaulted(Type.Boolean(), false),
});

const previewFields = {
  event_name: Defaulted(
    Choice(shipmentEventNames, {
      description: 'The newest event of the parcel.',
    }),
    'OUT_FOR_DELIVERY',
  ),
  language: Type.Optional(LanguageTag({ description: 'Default: the language of the shop.' })),
  theme: Type.Optional(Choice(['light', 'dark'], { description: 'Default: the theme that the browser prefers.' })),
};

const PreviewForm = Shape('TrackingPagePreviewForm', {
  ...Type.Partial(Type.Object(previewFields)).properties,
  draft: Type.Optional(
    Text(pageLimits.draftBytes, {
      description:
        'What is not saved yet, as JSON: `{ palette, page_settings, campaign: { promotion_type, promotion_properties, ' +
        'discount_id }, deals, announcements, show_storefront }`, all optional, each with the fields of the request that ' +
        'saves it. With `show_storefront` the page shows what the shop shows at present where the draft has nothing.',
    }),
  ),
});

/** The form with its draft parsed, which the function validates itself. */
export const PreviewRequest = Type.Object({ ...previewFields, draft: Type.Optional(PageDraft) });

const pagePath = '/t/{token}' as const;
const claimPath = `${pagePath}/claim` as const;
const unsubscribePath = '/u/{token}' as const;
const withdrawalPath = `${pagePath}/withdrawal` as const;
const lookupPath = '/lookup/{slug}' as const;
const previewPath = `${shopPath}/tracking-page/preview` as const;

export const pages = declare({
  getTrackingPage: {
    method: 'GET',
    path: pagePath,
    role: 'open',
    summary: 'Open the tracking page of an order',
    description:
      'Returns the page that a customer opens to see where the parcel is. It works without JavaScript. It shows nothing ' +
      'personal of the customer: no name, street, e-mail address, phone number or price. What the customer wrote in a claim is ' +
      'shown as it was written. An unknown token, a malformed one and the token ' +
      'of a deleted order get the same page with the status 404.',
    params: tokenParams,
    query: PageQuery,
    response: Page,
    errors: ['page_not_found'],
  },
  getClaimForm: {
    method: 'GET',
    path: claimPath,
    role: 'open',
    summary: 'Open the form to report a problem',
    description: 'Returns the form on which a customer reports a problem with the order.',
    params: tokenParams,
    query: LanguageQuery,
    response: Page,
    errors: ['page_not_found'],
  },
  sendClaimForm: {
    method: 'POST',
    path: claimPath,
    role: 'open',
    summary: 'Report a problem',
    description:
      'Makes a claim from the form and redirects to the tracking page, which thanks for it and shows it. A fault shows the form again ' +
      'with 422, a message beside the field and everything that was typed; browsers do not keep photos. A form can be sent ' +
      `for ${pageLimits.formHours} hours, and makes one claim however often it is sent. The service removes the metadata of ` +
      `photos and keeps them private. A page takes ${pageLimits.claimsInAnHour} claims in an hour; then the form comes with ` +
      '429 and `Retry-After`. A form with photos counts although it makes no claim. The history of the claim says `customer`.',
    params: tokenParams,
    query: LanguageQuery,
    body: { form: ClaimForm },
    response: Page,
    status: 303,
    errors: ['page_not_found'],
  },
  sendMessageForm: {
    method: 'POST',
    path: `${pagePath}/claims/{claim_uuid}/messages`,
    role: 'open',
    summary: 'Write to the shop in a claim',
    description:
      'Adds a message of the customer to a claim and redirects to the tracking page, which thanks for it and shows it. The service ' +
      'emits `claims/updated`, and the claim waits under what needs somebody until the shop answers. The form stands on the tracking ' +
      'page beside a claim that is not closed. A fault shows it again on a page of its own with 422, a message beside the field and ' +
      'everything that was typed. A form makes one message however often it is sent. Photos are treated as those of claims. A page ' +
      `takes ${pageLimits.messagesInAnHour} messages in an hour; then the form comes with 429 and \`Retry-After\`.`,
    params: Type.Object({ token: Token, claim_uuid: Type.String({ description: 'The uuid of the claim.' }) }),
    query: LanguageQuery,
    body: { form: MessageForm },
    response: Page,
    status: 303,
    errors: ['page_not_found'],
  },
  sendRating: {
    method: 'POST',
    path: `${pagePath}/rating`,
    role: 'open',
    summary: 'Rate a delivery',
    description:
      'Keeps how the customer liked the delivery of a parcel and redirects to the tracking page, which thanks for it. A parcel that ' +
      'was delivered can be rated once, if the settings of the page say `ratings_enabled`; another rating of the same parcel changes ' +
      'nothing. A fault shows the form again with 422. The rating is in the timeline of the order. There is no event for it.',
    params: tokenParams,
    query: LanguageQuery,
    body: { form: RatingForm },
    response: Page,
    status: 303,
    errors: ['page_not_found'],
  },
  getWithdrawalForm: {
    method: 'GET',
    path: withdrawalPath,
    role: 'open',
    summary: 'Open the form to withdraw from the contract',
    description:
      'Returns the form on which a customer declares to withdraw from the contract. It is offered while the period runs; afterwards, ' +
      'and where the customer has withdrawn already, it leads to the tracking page.',
    params: tokenParams,
    query: LanguageQuery,
    response: Page,
    mayRedirect: true,
    errors: ['page_not_found'],
  },
  sendWithdrawalForm: {
    method: 'POST',
    path: withdrawalPath,
    role: 'open',
    summary: 'Withdraw from the contract',
    description:
      'Records the withdrawal with its exact time and redirects to the tracking page, which shows it first. A fault shows the form ' +
      `again with 422, a message beside the field and everything that was typed. A form can be sent for ${pageLimits.formHours} hours. An ` +
      'order has one withdrawal, however often the form is sent. The service emits `withdrawals/declared`.',
    params: tokenParams,
    query: LanguageQuery,
    body: { form: WithdrawalForm },
    response: Page,
    status: 303,
    errors: ['page_not_found'],
  },
  followPromotion: {
    method: 'GET',
    path: `${pagePath}/go/{promotion_id}`,
    role: 'open',
    summary: 'Follow the promotion of a tracking page',
    description:
      'Redirects to the `cta_url` of the campaign, with `utm_source=trackpages`, `utm_medium` and `utm_campaign`, and ' +
      'counts the click once for each order.',
    params: Type.Object({ token: Token, promotion_id: Type.String({ description: 'The uuid of the campaign.' }) }),
    response: Page,
    status: 302,
    errors: ['page_not_found'],
  },
  getLookup: {
    method: 'GET',
    path: lookupPath,
    role: 'open',
    summary: 'Open the form to find an order',
    description: 'Returns the form on which a customer finds the tracking page of an order.',
    query: LanguageQuery,
    response: Page,
    errors: ['page_not_found'],
  },
  sendLookup: {
    method: 'POST',
    path: lookupPath,
    role: 'open',
    summary: 'Find an order',
    description:
      'Redirects to the tracking page of the order. If the order does not exist or the e-mail address or postcode is ' +
      'wrong, the answer is the same page with 404, after the same time. A `#` before the number does not matter, nor do ' +
      'upper and lower case in the e-mail address or postcode, nor spaces in the postcode. One address can try ' +
      `${pageLimits.lookups} times in ${pageLimits.lookupMinutes} minutes at one shop; then the form comes with 429 and ` +
      '`Retry-After`. An order without a `tracking_page_url` is not found.',
    query: LanguageQuery,
    body: { form: LookupForm },
    response: Page,
    status: 303,
    errors: ['page_not_found'],
  },
  getUnsubscribePage: {
    method: 'GET',
    path: unsubscribePath,
    role: 'open',
    summary: 'Open the page to unsubscribe from e-mails',
    description:
      'Returns a page that says whether the shop sends e-mails to the address, with a button that changes it. Opening it ' +
      'changes nothing. It does not show the address.',
    params: unsubscribeParams,
    query: LanguageQuery,
    response: Page,
    errors: ['page_not_found'],
  },
  sendUnsubscribe: {
    method: 'POST',
    path: unsubscribePath,
    role: 'open',
    summary: 'Unsubscribe from e-mails, or subscribe again',
    description:
      'Switches the e-mails of the shop to the address off, at once and as often as it is sent. The page can switch them ' +
      `on again, ${pageLimits.subscriptionsInAnHour} times in an hour, unless the address bounced or its reader complained.`,
    params: unsubscribeParams,
    query: LanguageQuery,
    body: { form: UnsubscribeForm },
    response: Page,
    errors: ['page_not_found'],
  },
  getTrackingFacts: {
    method: 'GET',
    path: '/v1/tracking/{token}',
    role: 'open',
    anyOrigin: true,
    summary: 'Get the facts of a tracking page',
    description:
      'Returns what the tracking page of an order shows, for a shop that draws its own page. Browsers of every origin may ' +
      `read it. It has the first ${storefrontLimits.deals} deals by rank and the ${storefrontLimits.announcements} newest announcements in ` +
      'the language of the page, or of the shop if there are none. Like the page, it shows nothing personal, and the first ' +
      'time that it contains a promotion counts as a showing of that promotion.',
    params: tokenParams,
    query: LanguageQuery,
    response: TrackingPage,
    errors: ['page_not_found'],
  },
  previewTrackingPage: {
    method: 'GET',
    path: previewPath,
    role: 'viewer',
    summary: 'Preview the tracking page',
    description:
      'Returns the tracking page with the brand of the shop and with sample data. It needs no order and counts nothing.',
    query: Type.Object({
      ...previewFields,
      show_storefront: Defaulted(
        Type.Boolean({
          description:
            'Whether to show what the shop shows to all customers at present: promotion, deals and announcements. ' +
            'Otherwise the page has a sample of a promotion.',
        }),
        false,
      ),
    }),
    response: Page,
  },
  previewDraft: {
    method: 'POST',
    path: previewPath,
    role: 'viewer',
    summary: 'Preview changes of the tracking page',
    description:
      'Returns the preview with changes that are not saved. It takes an HTML form, so that a page can show the answer in a ' +
      `frame. Nothing is saved or counted. A draft has at most ${sizeText(pageLimits.draftBytes)}.`,
    body: { form: PreviewForm },
    response: Page,
  },
});

export type PreviewRequest = Static<typeof PreviewRequest>;
export type PageDraft = Static<typeof PageDraft>;
