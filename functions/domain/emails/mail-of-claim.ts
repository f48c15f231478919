import { put } from '#domain/tracking-page/dates.ts';
import type { Tone } from '#domain/tracking-page/journey.ts';
import { pageContentLimits } from '#schemas/catalogues/limits.ts';
import type { TrackingPage } from '#schemas/shapes/tracking-page.ts';
import { foreignLine, foreignText, frameOf, type MailContent, type MailReader } from './mail-content.ts';

/** What a mail says of a claim. */
export type MailedClaim = Pick<TrackingPage['claims'][number], 'number' | 'reason' | 'status' | 'description'>;

/** What became of what the customer reported. @param isNew whether it was reported just now */
export function mailOfClaim(page: TrackingPage, claim: MailedClaim, isNew: boolean, reader: MailReader): MailContent {
  const { texts, mail } = reader;
  const title = isNew ? mail.claims.created : mail.claims[claim.status];
  const words = claim.description && {
    title: texts.claims.words,
    text: foreignText(claim.description, pageContentLimits.claimCharacters),
  };
  return {
    ...framed(page, claim, reader),
    subject: title,
    preheader: texts.claims.next[claim.status],
    title,
    // “Your report is settled” says it all.
    lines: claim.status === 'closed' ? [] : [texts.claims.next[claim.status]],
    quote: words || null,
    button: { label: mail.buttons.claim, url: page.links.page_url },
  };
}

const messageCharacters = 2_000;

export interface ShopMessage {
  /** Null, or the name of the shop: the shop as a whole. */
  author: string | null;
  text: string;
  at: string;
}

/** What the shop wrote to the customer about a claim. */
export function mailOfMessage(
  page: TrackingPage,
  claim: MailedClaim,
  message: ShopMessage,
  reader: MailReader,
): MailContent {
  const { mail } = reader;
  const shop = foreignLine(page.shop.name, 60);
  const person = message.author ? foreignLine(message.author, 60) : shop;
  const author = person === shop ? shop : `${person}, ${shop}`;
  return {
    ...framed(page, claim, reader),
    subject: mail.claims.message,
    preheader: foreignLine(message.text, 150),
    title: mail.claims.message,
    lines: [],
    quote: { title: put(mail.claims.from, { author }), text: foreignText(message.text, messageCharacters) },
    button: { label: mail.buttons.message, url: page.links.page_url },
  };
}

/** No offer stands beside a problem. */
function framed(page: TrackingPage, { number, reason, status }: MailedClaim, reader: MailReader) {
  const { texts } = reader;
  return {
    ...frameOf(page, reader, 'claim'),
    parcel: null,
    state: { word: texts.claims.statuses[status], tone: tones[status] },
    progress: null,
    story: [],
    place: null,
    details: [
      { label: texts.claim_form.reason, text: texts.reasons[reason] },
      { label: texts.claims.number, text: number },
    ],
    items: null,
    offer: null,
    facts: null,
  };
}

const tones: Record<MailedClaim['status'], Tone> = {
  pending: 'moving',
  accepted: 'arrived',
  rejected: 'failed',
  closed: 'arrived',
};
