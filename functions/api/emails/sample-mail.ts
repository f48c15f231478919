import { addressHash } from '#domain/emails/address-hash.ts';
import { hasSender, toEmailSettings } from '#domain/emails/email-settings.ts';
import { type Mail, type MailSubject, mailOf } from '#domain/emails/mail.ts';
import { readSuppression } from '#domain/emails/suppression-store.ts';
import { loadMailTexts } from '#domain/emails/texts/mail-texts.ts';
import { bareStorefront } from '#domain/pages/storefront.ts';
import { loadSettings } from '#domain/settings/stored-settings.ts';
import { loadTexts } from '#domain/texts/texts.ts';
import { brandOf, toLinks } from '#domain/tracking-page/facts.ts';
import { samplePage } from '#domain/tracking-page/sample-page.ts';
import { loadPageTexts } from '#domain/tracking-page/texts/page-texts.ts';
import { oneMore, secondsOf } from '#platform/access/sliding-window.ts';
import { invalidValue, ServiceError } from '#platform/errors.ts';
import { HttpError } from '#platform/http/errors.ts';
import type { Implementation, RawResponse, Request } from '#platform/http/request.ts';
import type { MailFailure } from '#platform/lazy/ses.ts';
import { keyOf } from '#platform/table/keys.ts';
import { getItem } from '#platform/table/reads.ts';
import { commit, putVersion, retryOnConflict } from '#platform/table/writes.ts';
import type { Language } from '#schemas/catalogues/enumerations.ts';
import { claimRefs } from '#schemas/catalogues/event-filters.ts';
import { emailLimits } from '#schemas/catalogues/limits.ts';
import type { ShipmentEventName } from '#schemas/catalogues/shipment-events.ts';
import type { emails, MailedEvent } from '#schemas/families/emails.ts';
import type { TrackingPage } from '#schemas/shapes/tracking-page.ts';

type Operations = typeof emails;
type Asking = Pick<Request<Operations['previewEmail']>, 'shop' | 'serviceUrl' | 'setLanguage' | 'now'>;

interface Chosen {
  event_name: MailedEvent;
  is_return: boolean;
  language?: Language;
  theme?: 'light' | 'dark';
}

export const previewEmail: Implementation<Operations['previewEmail']> = async (request) => {
  const { format, ...chosen } = request.query;
  const mail = await sampleMail(request, chosen);
  if (format === 'json') return answer('application/json', JSON.stringify(mail));
  return format === 'text'
    ? answer('text/plain; charset=utf-8', mail.text)
    : answer('text/html; charset=utf-8', mail.html);
};

/** Nothing of a mail may run, also if somebody opens the preview by itself. */
const answer = (type: string, content: string): RawResponse => ({
  content,
  headers: {
    'Content-Type': type,
    'Content-Security-Policy':
      "default-src 'none'; style-src 'unsafe-inline'; img-src https: http: data:; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox",
    'Cache-Control': 'private, no-store',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  },
});

export const sendTestEmail: Implementation<Operations['sendTestEmail']> = async (request) => {
  const { shop, body, now } = request;
  const { to, ...chosen } = body;
  if (!hasSender()) throw new ServiceError('emails_unavailable');
  const suppression = await readSuppression(shop.slug, await addressHash(shop.slug, to));
  if (suppression && suppression.reason !== 'unsubscribed') throw new ServiceError('email_suppressed');
  const waitMs = await countTest(shop.slug, now.getTime());
  if (waitMs > 0) throw new HttpError('rate_limited', { headers: { 'Retry-After': `${secondsOf(waitMs)}` } });
  const [mail, settings] = await Promise.all([sampleMail(request, chosen), loadSettings(shop.slug)]);
  const { sender_name, reply_to } = toEmailSettings(settings);
  const { sendMail } = await import('#platform/lazy/ses.ts');
  const { subject, html, text } = mail;
  const result = await sendMail(
    {
      ...{ subject, html, text, to },
      fromName: sender_name ?? shop.name,
      replyTo: reply_to,
      headers: {},
      tags: { shop: shop.slug },
    },
    { deadlineMs },
  );
  if ('error' in result) throw refusalOf(result);
  return { message_id: result.messageId };
};

const deadlineMs = 10_000;

function refusalOf({ isFinal, isThrottled }: MailFailure): ServiceError {
  if (isFinal) return invalidValue(['body', 'to'], 'is an address that cannot get e-mails');
  if (isThrottled) return new HttpError('rate_limited', { headers: { 'Retry-After': '60' } });
  return new ServiceError('email_not_sent');
}

const window = { max: emailLimits.testsInAnHour, ms: 60 * 60_000 };

interface Tests {
  version: number;
  times: number[];
}

/** Otherwise the service would send as many mails to anybody as somebody with a key likes. @returns how long to wait, 0 if there is room */
function countTest(slug: string, now: number): Promise<number> {
  const key = keyOf.testMails(slug);
  return retryOnConflict(async () => {
    const before = await getItem<Tests>(key);
    const counted = oneMore(before?.times ?? [], now, window);
    if ('waitMs' in counted) return counted.waitMs;
    const expires_at = Math.ceil((now + window.ms) / 1000);
    await commit([putVersion({ ...key, version: (before?.version ?? 0) + 1, times: counted.times, expires_at })]);
    return 0;
  });
}

/** A mail with the brand of the shop, of an order that does not exist. */
async function sampleMail({ shop, serviceUrl, setLanguage, now }: Asking, chosen: Chosen): Promise<Mail> {
  const { event_name, is_return, language = shop.language ?? 'en', theme } = chosen;
  setLanguage(language);
  const [settings, texts, eventTexts, mail] = await Promise.all([
    loadSettings(shop.slug),
    loadPageTexts(language),
    loadTexts(language),
    loadMailTexts(language),
  ]);
  const storefront = bareStorefront(shop, settings);
  const reader = { language, texts, now };
  const links = toLinks(storefront, `${serviceUrl}/t/preview`);
  const eventName = isOfClaim(event_name) ? 'SUCCESSFULLY_DELIVERED' : (event_name as ShipmentEventName);
  const { show_predictions: showsPredictions } = storefront.settings;
  const brand = brandOf(storefront);
  const sample = samplePage(
    { eventName, isReturn: is_return, showsPredictions, shop: brand, links, eventTexts },
    reader,
  );
  const page = storefront.settings.show_products ? sample : withoutProducts(sample);
  return mailOf(subjectOf(event_name, page, now), {
    ...reader,
    mail,
    unsubscribeUrl: `${serviceUrl}/u/preview`,
    theme,
  });
}

const isOfClaim = (event: MailedEvent): event is (typeof claimRefs)[number] =>
  (claimRefs as readonly string[]).includes(event);

const withoutProducts = (page: TrackingPage): TrackingPage => ({
  ...page,
  parcels: page.parcels.map((parcel) => ({ ...parcel, products: [] })),
});

function subjectOf(event: MailedEvent, page: TrackingPage, now: Date): MailSubject {
  if (!isOfClaim(event)) return { kind: 'parcel', page, parcel: 0 };
  const isNew = event === 'claims/created';
  const claim: TrackingPage['claims'][number] = {
    uuid: '00000000-0000-7000-8000-0000007f3a21',
    number: '7F3A21',
    reason: 'damage',
    status: isNew ? 'pending' : 'accepted',
    created_at: now.toISOString(),
    description: null,
    messages: [],
  };
  return { kind: isNew ? 'claim_created' : 'claim_updated', page: { ...page, claims: [claim] }, claim };
}
