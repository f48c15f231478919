import { answerOf } from '#domain/tracking-page/answer.ts';
import type { Reader } from '#domain/tracking-page/dates.ts';
import type { Scheme } from '#schemas/look/palette.ts';
import type { TrackingPage } from '#schemas/shapes/tracking-page.ts';
import type { MailTexts } from './texts/mail-texts.ts';

/** A message to a customer. */
export interface Mail {
  subject: string;
  /** What mail programs show beside the subject. It is in the HTML already. */
  preheader: string;
  html: string;
  text: string;
}

type Claim = TrackingPage['claims'][number];

/** What a mail is about. The page is that of the order, in the language of the mail. */
export type MailSubject =
  | { kind: 'parcel'; page: TrackingPage; /** The place among the parcels of the page. */ parcel: number }
  | { kind: 'claim_created' | 'claim_updated'; page: TrackingPage; claim: Claim }
  | { kind: 'claim_message'; page: TrackingPage; claim: Claim; message: ShopMessage }
  | { kind: 'withdrawal'; page: TrackingPage; withdrawal: DeclaredWithdrawal };

/** What the shop wrote about a claim. */
export interface ShopMessage {
  /** Null: the shop as a whole. */
  author: string | null;
  text: string;
  at: string;
}

/** What the acknowledgement of a withdrawal repeats. */
export interface DeclaredWithdrawal {
  name: string;
  items: readonly { title: string; quantity: number }[];
  declared_at: string;
  deadline: string | null;
  /** The time zone of the delivery. Null if it is not known. */
  zone: string | null;
}

/** Who reads the mail. */
export interface MailReader extends Reader {
  mail: MailTexts;
  /** Null for what the customer asked for, which cannot be ended. */
  unsubscribeUrl: string | null;
  /** Without it the mail program chooses. */
  theme?: Scheme | undefined;
}

export function mailOf(subject: MailSubject, reader: MailReader): Mail {
  const sentence = subject.kind === 'parcel' ? answerOf(subject.page.parcels[subject.parcel]!, reader).sentence : '';
  return { subject: sentence, preheader: '', html: `<p>${sentence}</p>`, text: sentence };
}
