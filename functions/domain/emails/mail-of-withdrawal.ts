import { exactTimeText, fullDateText, numberText, put, timeOf } from '#domain/tracking-page/dates.ts';
import type { TrackingPage } from '#schemas/shapes/tracking-page.ts';
import { type Fact, foreignLine, frameOf, type MailContent, type MailReader } from './mail-content.ts';
import { detailOf } from './mail-of-parcel.ts';

/** What the acknowledgement of a withdrawal repeats. */
export interface DeclaredWithdrawal {
  name: string;
  items: readonly { title: string; quantity: number }[];
  declared_at: string;
  deadline: string | null;
  /** The time zone of the delivery. Null if it is not known. */
  zone: string | null;
}

/** The acknowledgement on a durable medium, with content, date and time (Directive (EU) 2023/2673). */
export function mailOfWithdrawal(page: TrackingPage, declared: DeclaredWithdrawal, reader: MailReader): MailContent {
  const { mail } = reader;
  const texts = mail.withdrawal;
  return {
    ...frameOf(page, reader, 'withdrawal'),
    subject: texts.title,
    preheader: texts.keep,
    parcel: null,
    state: null,
    title: texts.title,
    lines: [texts.keep],
    progress: null,
    quote: { title: texts.statement, text: [texts.declared, '', ...goodsOf(declared, reader)].join('\n') },
    story: factsOf(declared, reader),
    button: { label: mail.buttons.order, url: page.links.page_url },
    place: null,
    details: [],
    items: null,
    offer: null,
    facts: null,
  };
}

/** Of the 30 KB of a mail. A hundred goods with names of the usual length fit. */
const goodsBytes = 11_000;

/** The goods line by line, as many as there is room for. The page has all of them. */
function goodsOf({ items }: DeclaredWithdrawal, reader: MailReader): string[] {
  const lines = items.map(({ title, quantity }) => {
    const detail = detailOf(null, quantity, reader);
    return `• ${foreignLine(title, 120)}${detail ? ` · ${detail}` : ''}`;
  });
  const shown: string[] = [];
  let room = goodsBytes;
  for (const line of lines) {
    room -= bytesOf(line);
    if (room < 0) break;
    shown.push(line);
  }
  if (shown.length === lines.length) return lines;
  const count = numberText(lines.length - shown.length, reader);
  return [...shown, put(reader.mail.labels.more, { count })];
}

/** In HTML a quotation mark takes six bytes, and the end of a line four. */
const bytesOf = (line: string) => Buffer.byteLength(line) + 4 + 5 * (line.match(/[&<>"']/g)?.length ?? 0);

function factsOf({ name, declared_at, deadline, zone }: DeclaredWithdrawal, reader: MailReader): Fact[] {
  const texts = reader.mail.withdrawal;
  const [time, end] = [timeOf(declared_at), timeOf(deadline)];
  return [
    { label: texts.name, text: foreignLine(name, 200) },
    ...(time ? [{ label: texts.time, text: exactTimeText(time, zone, reader) }] : []),
    ...(end ? [{ label: texts.deadline, text: fullDateText(end, zone, reader) }] : []),
  ];
}
