import type { Shipment } from '#domain/orders/model.ts';
import { allShipments } from '#domain/orders/order-rules.ts';
import { promotionFor } from '#domain/pages/page-promotion.ts';
import { loadTexts } from '#domain/texts/texts.ts';
import { toTrackingPage } from '#domain/tracking-page/facts.ts';
import { loadPageTexts } from '#domain/tracking-page/texts/page-texts.ts';
import { serviceUrl } from '#platform/service-url.ts';
import type { Language } from '#schemas/catalogues/enumerations.ts';
import { isTowardsMerchant } from '#schemas/catalogues/shipment-events.ts';
import type { TrackingPage } from '#schemas/shapes/tracking-page.ts';
import { type DeclaredWithdrawal, type Mail, type MailSubject, mailOf, type ShopMessage } from './mail.ts';
import { mailLanguage } from './mail-language.ts';
import type { MailOrder } from './mail-order.ts';
import { loadMailTexts } from './texts/mail-texts.ts';
import { unsubscribeToken } from './unsubscribe-token.ts';

/** What a mail tells. */
export type MailTopic =
  | { kind: 'parcel'; shipment: Shipment }
  | { kind: 'claim_created' | 'claim_updated'; claimId: string }
  | { kind: 'claim_message'; claimId: string; message: ShopMessage }
  | { kind: 'withdrawal'; withdrawal: DeclaredWithdrawal };

export interface MadeMail extends Mail {
  language: Language;
  headers: Record<string, string>;
}

/** Undefined if the page does not show any more what the mail is about. */
export async function makeMail(order: MailOrder, topic: MailTopic, address: string, now: Date) {
  const { slug, fullOrder, page, storefront, clock } = order;
  const { order: ordered } = fullOrder;
  const signs = {
    visited: page.language,
    ordered: (ordered.order_analytics as { language?: unknown } | undefined)?.language,
    country: ordered.address?.country_code,
    shop: storefront.shop.language,
  };
  const language = mailLanguage(signs);
  // The storefront lists what is open now. The clock of a simulation is at another time.
  const shown = clock === now ? storefront : { ...storefront, promotions: null };
  const [texts, pageTexts, mailTexts, promotion, unsubscribeUrl] = await Promise.all([
    loadTexts(language),
    loadPageTexts(language),
    loadMailTexts(language),
    promotionFor(slug, ordered, shown, clock),
    isAnswer(topic) ? null : linkFor({ pageToken: page.token, slug, address }),
  ]);
  const reader = { language, texts, serviceUrl: serviceUrl(), now: clock };
  const facts = toTrackingPage({ ...page, fullOrder, storefront, promotion }, reader);
  const subject = subjectOf(topic, facts, order);
  if (!subject) return undefined;
  const mail = mailOf(subject, { language, texts: pageTexts, mail: mailTexts, now: clock, unsubscribeUrl });
  return { ...mail, language, headers: headersFor(unsubscribeUrl) } satisfies MadeMail;
}

/** What the customer asked for cannot be unsubscribed. */
const isAnswer = ({ kind }: MailTopic): boolean => kind === 'claim_message' || kind === 'withdrawal';

const linkFor = async (one: Parameters<typeof unsubscribeToken>[0]): Promise<string> =>
  `${serviceUrl()}/u/${await unsubscribeToken(one)}`;

/** https://www.rfc-editor.org/rfc/rfc8058: mail programs show a button that sends a POST. */
const headersFor = (unsubscribeUrl: string | null): Record<string, string> =>
  unsubscribeUrl === null
    ? {}
    : { 'List-Unsubscribe': `<${unsubscribeUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };

function subjectOf(topic: MailTopic, page: TrackingPage, order: MailOrder): MailSubject | undefined {
  if (topic.kind === 'withdrawal') return { ...topic, page };
  if (topic.kind === 'parcel') {
    const parcel = placeOf(topic.shipment, page, order);
    return parcel === -1 ? undefined : { kind: 'parcel', page, parcel };
  }
  const claim = page.claims.find(({ uuid }) => uuid === topic.claimId);
  return claim && { ...topic, page, claim };
}

/** The page knows no ids of parcels. They have the numbers that they have among those of their direction. */
function placeOf(shipment: Shipment, { parcels }: TrackingPage, { fullOrder }: MailOrder): number {
  const isReturn = isTowardsMerchant(shipment.direction);
  const alike = allShipments(fullOrder).filter(({ direction }) => isTowardsMerchant(direction) === isReturn);
  const number = alike.findIndex(({ uuid }) => uuid === shipment.uuid) + 1;
  return parcels.findIndex((parcel) => parcel.is_return === isReturn && parcel.number === number);
}
