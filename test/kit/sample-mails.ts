import { type Mail, type MailReader, type MailSubject, mailOf } from '#domain/emails/mail.ts';
import type { MailedClaim } from '#domain/emails/mail-of-claim.ts';
import { loadMailTexts } from '#domain/emails/texts/mail-texts.ts';
import { loadTexts, type Texts } from '#domain/texts/texts.ts';
import { samplePage } from '#domain/tracking-page/sample-page.ts';
import { loadPageTexts } from '#domain/tracking-page/texts/page-texts.ts';
import { claimStatuses, type Language } from '#schemas/catalogues/enumerations.ts';
import {
  claimGroups,
  customerGroups,
  groupOf,
  merchantGroups,
  type ShipmentEventName,
  shipmentEventNames,
} from '#schemas/catalogues/shipment-events.ts';
import type { BrandPalette } from '#schemas/shapes/settings-shapes.ts';
import type { TrackingPage } from '#schemas/shapes/tracking-page.ts';

/** Mails of every kind about the sample order of the preview. */

export const quietPalette: BrandPalette = {
  primary_dark: '#12372a',
  primary_light: '#fbfada',
  secondary_dark: '#436850',
  secondary_light: '#adbc9f',
  background: '#ffffff',
  surface: '#f9fafb',
};

const now = new Date('2026-11-17T09:40:00Z');

export interface Setting {
  reader: MailReader;
  eventTexts: Texts;
}

export async function settingOf(language: Language): Promise<Setting> {
  const [texts, mail, eventTexts] = await Promise.all([
    loadPageTexts(language),
    loadMailTexts(language),
    loadTexts(language),
  ]);
  return { reader: { language, texts, mail, now, unsubscribeUrl: 'https://track.example/u/abc' }, eventTexts };
}

export type ShownShop = Partial<TrackingPage['shop']>;

export function pageAfter(
  eventName: ShipmentEventName,
  { reader, eventTexts }: Setting,
  { isReturn = false, shop = {} }: { isReturn?: boolean; shop?: ShownShop } = {},
): TrackingPage {
  const brand = { name: 'Lindenhof', logo_url: null, palette: quietPalette, ...shop };
  return samplePage({ eventName, isReturn, shop: brand, links, eventTexts }, reader);
}

const links: TrackingPage['links'] = {
  page_url: 'https://track.example/t/abc',
  claim_url: 'https://track.example/t/abc/claim',
  rating_url: null,
  withdrawal_url: null,
  shop_url: 'https://shop.example/',
  service_url: null,
  faq_url: null,
  support_url: null,
  privacy_url: 'https://shop.example/privacy',
  imprint_url: 'https://shop.example/imprint',
};

/** The first event that sends the notification. */
export const eventOf = (group: string): ShipmentEventName =>
  shipmentEventNames.find((name) => groupOf(name, directionOf(group)) === group)!;

const directionOf = (group: string) => (isOfReturn(group) ? 'customer_merchant' : 'merchant_customer');
const isOfReturn = (group: string) => (merchantGroups as readonly string[]).includes(group);

export const aClaim: MailedClaim = {
  number: '4F2A-91BC',
  reason: 'damage',
  status: 'pending',
  description: 'The box was open.\nTwo cups are broken.',
};

export const aMessage = { author: 'Mira', text: 'We are sorry.\n\nNew cups leave today.', at: now.toISOString() };

export const aWithdrawal = {
  name: 'Ada Lovelace',
  items: [
    { title: 'Linen shirt', quantity: 1 },
    { title: 'Set of four cups', quantity: 2 },
  ],
  declared_at: '2026-11-17T09:40:05.123Z',
  deadline: '2026-12-01T22:59:59.999Z',
  zone: 'Europe/Berlin',
};

/** What each mail is about, by its name. */
export function subjectsOf(setting: Setting, shop: ShownShop = {}): [name: string, subject: MailSubject][] {
  const parcels = [...customerGroups, ...merchantGroups].map((group): [string, MailSubject] => {
    const page = pageAfter(eventOf(group), setting, { isReturn: isOfReturn(group), shop });
    return [group, { kind: 'parcel', page, parcel: 0 }];
  });
  const page = pageAfter(eventOf('shipment_delivered'), setting, { shop });
  const claims = claimGroups.flatMap((kind) =>
    claimStatuses.map((status): [string, MailSubject] => [
      `${kind} ${status}`,
      { kind, page, claim: { ...aClaim, status } },
    ]),
  );
  return [
    ...parcels,
    ...claims,
    ['claim_message', { kind: 'claim_message', page, claim: aClaim, message: aMessage }],
    ['withdrawal', { kind: 'withdrawal', page, withdrawal: aWithdrawal }],
  ];
}

export const mailsOf = (setting: Setting, shop: ShownShop = {}): [name: string, mail: Mail][] =>
  subjectsOf(setting, shop).map(([name, subject]) => [name, mailOf(subject, setting.reader)]);
