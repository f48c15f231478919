import type { TrackingPage } from '#schemas/shapes/tracking-page.ts';
import type { MailContent, MailReader } from './mail-content.ts';
import { mailHtml } from './mail-html.ts';
import { type MailedClaim, mailOfClaim, mailOfMessage, type ShopMessage } from './mail-of-claim.ts';
import { mailOfParcel } from './mail-of-parcel.ts';
import { type DeclaredWithdrawal, mailOfWithdrawal } from './mail-of-withdrawal.ts';
import { mailText } from './mail-text.ts';

export type { DeclaredWithdrawal, MailReader, ShopMessage };

/** A message to a customer. */
export interface Mail {
  subject: string;
  /** What mail programs show beside the subject. It is in the HTML already. */
  preheader: string;
  html: string;
  text: string;
}

/** What a mail is about. The page is that of the order, in the language of the mail. */
export type MailSubject =
  // The parcel is named by its place on the page.
  | { kind: 'parcel'; page: TrackingPage; parcel: number }
  | { kind: 'claim_created' | 'claim_updated'; page: TrackingPage; claim: MailedClaim }
  | { kind: 'claim_message'; page: TrackingPage; claim: MailedClaim; message: ShopMessage }
  | { kind: 'withdrawal'; page: TrackingPage; withdrawal: DeclaredWithdrawal };

/** What the HTML of a mail has at most, and its text. Mail programs cut off what is far longer. */
export const maxMailBytes = 30 * 1024;

export function mailOf(subject: MailSubject, reader: MailReader): Mail {
  let content = contentOf(subject, reader);
  let mail = made(content, reader);
  for (const shorten of shortenings) {
    if (isShort(mail)) break;
    content = shorten(content);
    mail = made(content, reader);
  }
  return mail;
}

const made = (content: MailContent, reader: MailReader): Mail => ({
  subject: content.subject,
  preheader: content.preheader,
  html: mailHtml(content, reader),
  text: mailText(content),
});

const isShort = ({ html, text }: Mail) => [html, text].every((part) => Buffer.byteLength(part) <= maxMailBytes);

/** What a mail goes without if its texts are so long that it would not fit. The answer always stays. */
const shortenings: ((content: MailContent) => MailContent)[] = [
  (content) => ({ ...content, offer: null }),
  (content) => ({ ...content, items: null }),
  (content) => ({ ...content, place: content.place && { ...content.place, hours: null } }),
];

function contentOf(subject: MailSubject, reader: MailReader): MailContent {
  const { kind, page } = subject;
  switch (kind) {
    case 'parcel':
      return mailOfParcel(page, subject.parcel, reader);
    case 'claim_message':
      return mailOfMessage(page, subject.claim, subject.message, reader);
    case 'withdrawal':
      return mailOfWithdrawal(page, subject.withdrawal, reader);
    default:
      return mailOfClaim(page, subject.claim, kind === 'claim_created', reader);
  }
}
