import { randomUUID } from 'node:crypto';
import { account, region } from '../template/physical-names.ts';
import type { SentMail } from './send-email.ts';

/** An event of the bus, as SES publishes it. */
export interface SesEvent {
  /** As the destination of a configuration set names it. */
  type: string;
  event: Record<string, unknown>;
}

/**
 * What SES's mailbox simulator does with a mail, also if its address has a label (`bounce+1@…`):
 * https://docs.aws.amazon.com/ses/latest/dg/send-an-email-from-console.html#send-email-simulator. Other addresses get their
 * mail, and nobody hears of it.
 */
export function simulatedEvent(mail: SentMail, configurationSet: string | undefined, now: Date): SesEvent | undefined {
  const name = /^([a-z]+)(\+[^@]*)?@simulator\.amazonses\.com$/i.exec(mail.to)?.[1]?.toLowerCase();
  const report = reports[name ?? '']?.(mail, now.toISOString());
  if (!report) return undefined;
  const { type, detailType, ...detail } = report;
  return { type, event: onBus(detailType, { ...detail, mail: mailIn(mail, configurationSet) }, now) };
}

interface Report {
  type: string;
  detailType: string;
  eventType: string;
  [part: string]: unknown;
}

/** The records are those of https://docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-contents.html. */
const reports: Record<string, (mail: SentMail, timestamp: string) => Report> = {
  bounce: ({ to }, timestamp) =>
    bounced('General', timestamp, {
      emailAddress: to,
      action: 'failed',
      status: '5.1.1',
      diagnosticCode: 'smtp; 550 5.1.1 user unknown',
    }),
  suppressionlist: ({ to }, timestamp) => bounced('Suppressed', timestamp, { emailAddress: to }),
  complaint: ({ to }, timestamp) => ({
    type: 'complaint',
    detailType: 'Email Complaint Received',
    eventType: 'Complaint',
    complaint: {
      feedbackId: randomUUID(),
      complaintSubType: null,
      complainedRecipients: [{ emailAddress: to }],
      timestamp,
      userAgent: 'Amazon SES Mailbox Simulator',
      complaintFeedbackType: 'abuse',
      arrivalDate: timestamp,
    },
  }),
};

const bounced = (bounceSubType: string, timestamp: string, recipient: object): Report => ({
  type: 'bounce',
  detailType: 'Email Bounced',
  eventType: 'Bounce',
  bounce: {
    feedbackId: randomUUID(),
    bounceType: 'Permanent',
    bounceSubType,
    bouncedRecipients: [recipient],
    timestamp,
    reportingMTA: 'dns; local.stack',
  },
});

const mailIn = ({ id, at, from, to, headers, subject, tags }: SentMail, configurationSet: string | undefined) => ({
  timestamp: at,
  source: from,
  sendingAccountId: account,
  messageId: id,
  destination: [to],
  headersTruncated: false,
  headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
  commonHeaders: { from: [from], to: [to], messageId: id, subject },
  tags: {
    ...(configurationSet && { 'ses:configuration-set': [configurationSet] }),
    ...Object.fromEntries(Object.entries(tags).map(([name, value]) => [name, [value]])),
  },
});

const onBus = (detailType: string, detail: object, now: Date) => ({
  version: '0',
  id: randomUUID(),
  'detail-type': detailType,
  source: 'aws.ses',
  account,
  time: now.toISOString().replace(/\.\d+Z$/, 'Z'),
  region,
  resources: [],
  detail,
});
