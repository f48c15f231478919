import { put, type Reader } from '#domain/tracking-page/dates.ts';
import type { Tone } from '#domain/tracking-page/journey.ts';
import { cut } from '#platform/cut.ts';
import { pageLink } from '#schemas/catalogues/links.ts';
import type { Scheme } from '#schemas/look/palette.ts';
import type { TrackingPage } from '#schemas/shapes/tracking-page.ts';
import type { MailTexts } from './texts/mail-texts.ts';

/** Who reads the mail. */
export interface MailReader extends Reader {
  mail: MailTexts;
  /** Null for what the customer asked for, which cannot be ended. */
  unsubscribeUrl: string | null;
  /** Without it the mail program chooses. */
  theme?: Scheme | undefined;
}

/** What a mail says, in the order in which it says it. The HTML and the text are both made of this, so they say the same. */
export interface MailContent {
  subject: string;
  preheader: string;
  brand: TrackingPage['shop'];
  shopUrl: string | null;
  /** “Order 10024”. */
  order: string;
  /** “Parcel 1 of 2”, if there are several. */
  parcel: string | null;
  /** The state in a word. */
  state: { word: string; tone: Tone } | null;
  /** The answer. */
  title: string;
  lines: readonly string[];
  progress: { total: number; current: number; name: string; count: string } | null;
  /** What somebody wrote. */
  quote: { title: string; text: string } | null;
  story: readonly Fact[];
  button: Link;
  place: Place | null;
  details: readonly Fact[];
  items: Items | null;
  offer: Offer | null;
  footer: { reason: string; end: Link | null; links: readonly Link[] };
  /** Facts for the mail program, by the words of schema.org. */
  facts: object | null;
}

export interface Fact {
  label: string;
  text: string;
  url?: string | null;
}

export interface Link {
  label: string;
  url: string;
}

export interface Place {
  title: string;
  /** Name and address, or a sentence. */
  lines: readonly string[];
  until: string | null;
  hours: { title: string; days: readonly { name: string; times: string }[] } | null;
  link: Link | null;
}

export interface Items {
  title: string;
  list: readonly { title: string; detail: string | null; picture: string | null }[];
  /** “Further items: 3”. */
  more: string | null;
}

export interface Offer {
  label: string;
  title: string;
  subtitle: string | null;
  code: Fact | null;
  products: readonly { title: string; url: string | null }[];
  link: Link | null;
}

/** What every mail of the order has. */
export function frameOf(page: TrackingPage, reader: MailReader, why: 'order' | 'claim' | 'withdrawal') {
  const { texts, mail, unsubscribeUrl } = reader;
  const names = { number: foreignLine(page.order_number, 60), shop: foreignLine(page.shop.name, 60) };
  return {
    brand: { ...page.shop, name: names.shop },
    shopUrl: shortLink(page.links.shop_url),
    order: put(texts.page.order, names),
    footer: {
      reason: put(mail.footer[why], names),
      end: unsubscribeUrl === null ? null : { label: mail.footer.end, url: unsubscribeUrl },
      links: linksOf([
        [page.links.privacy_url, texts.links.privacy],
        [page.links.imprint_url, texts.links.imprint],
      ]),
    },
  };
}

function linksOf(links: readonly [url: string | null, label: string][]): Link[] {
  return links.flatMap(([given, label]) => {
    const url = shortLink(given);
    return url ? [{ label, url }] : [];
  });
}

/** A mail has 30 KB, and no address that people use is as long. */
const maxLinkBytes = 500;

export const shortLink = (url: string | null | undefined): string | null => {
  const shown = pageLink(url);
  return shown !== null && Buffer.byteLength(shown) <= maxLinkBytes ? shown : null;
};

/** Mail programs load no pictures over plain HTTP. */
export const pictureLink = (url: string | null): string | null =>
  url !== null && /^https:/i.test(url) ? shortLink(url) : null;

/** They would turn the direction of the text around them, and mail programs drop the elements that prevent it. */
const directionMarks = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u;

/** A text of a shop, a customer or a carrier on one line. */
export const foreignLine = (text: string, length: number): string =>
  isolated(
    cut(
      text
        .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
        .replace(directionMarks, '')
        .trim(),
      length,
    ),
  );

/** The same with its line breaks. */
export const foreignText = (text: string, length: number): string => {
  const lines = text.replace(/\r\n?|[\p{Zl}\p{Zp}]/gu, '\n').replace(/[^\P{Cc}\n]+/gu, ' ');
  return isolated(
    cut(
      lines
        .replace(directionMarks, '')
        .replace(/\n{3,}/g, '\n\n')
        .trim(),
      length,
    ),
  );
};

const isolated = (text: string) => (rightToLeft.test(text) ? `\u2068${text}\u2069` : text);
