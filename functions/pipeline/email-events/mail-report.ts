import type { MailFeedback } from '#domain/deliveries/delivery-rules.ts';
import { parsed } from '#platform/message-batch.ts';
import { RecordFault } from '#platform/verdicts.ts';

/** What SES tells about a mail that it had taken. */
export interface MailReport {
  shop: string;
  /** To whom it went: each mail has one receiver. */
  address: string;
  /** Absent for a test mail, of which no log tells. */
  delivery?: string;
  order?: string;
  feedback: MailFeedback;
  /** Why the address gets no more mails. Absent if it still gets them. */
  suppresses?: 'bounce' | 'complaint';
  /** When SES took the mail. */
  sentAt: string;
}

/**
 * Event of the bus, whose `detail` is the record that SES documents:
 * https://docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-contents.html.
 */
interface SesEvent {
  time?: string;
  detail?: {
    eventType?: string;
    mail?: { timestamp?: string; destination?: string[]; tags?: Record<string, string[]> };
    bounce?: { bounceType?: string; timestamp?: string };
    complaint?: { timestamp?: string };
    deliveryDelay?: { timestamp?: string };
  };
}

/** Undefined if it is a report that nobody asked for. */
export function mailReportIn(body: string): MailReport | undefined {
  const { time, detail } = parsed<SesEvent>(body);
  const { timestamp: sentAt, destination, tags } = detail?.mail ?? {};
  const shop = tags?.shop?.[0];
  const address = destination?.[0];
  if (!shop || !address || !sentAt || !detail?.eventType) throw new RecordFault('Malformed');
  const told = toldBy(detail, time ?? sentAt);
  const [delivery, order] = [tags?.delivery?.[0], tags?.order?.[0]];
  return told && { shop, address, ...(delivery && { delivery }), ...(order && { order }), ...told, sentAt };
}

type Told = Pick<MailReport, 'feedback' | 'suppresses'>;

function toldBy({ eventType, bounce, complaint, deliveryDelay }: NonNullable<SesEvent['detail']>, time: string) {
  const tell = (kind: MailFeedback['kind'], at = time, suppresses?: MailReport['suppresses']): Told => ({
    feedback: { kind, at },
    ...(suppresses && { suppresses }),
  });
  switch (eventType) {
    case 'Bounce':
      // A full mailbox or a server that was away may take the next mail: only `Permanent` says that there is no such address.
      if (bounce?.bounceType === 'Permanent') return tell('bounce', bounce.timestamp, 'bounce');
      return tell('soft_bounce', bounce?.timestamp);
    case 'Complaint':
      return tell('complaint', complaint?.timestamp, 'complaint');
    case 'DeliveryDelay':
      return tell('delayed', deliveryDelay?.timestamp);
    case 'Reject':
      return tell('rejected');
    default:
      return undefined;
  }
}
