import { describe, expect, it } from 'vitest';
import { mailReportIn } from '#pipeline/email-events/mail-report.ts';
import { RecordFault } from '#platform/verdicts.ts';

const at = '2026-11-17T09:00:02.669Z';

const mail = {
  timestamp: '2026-11-17T09:00:00.012Z',
  source: 'Shop <post@mail.example.com>',
  messageId: 'm-1',
  destination: ['ada@example.com'],
  tags: { 'ses:configuration-set': ['set-1'], shop: ['shoes'], order: ['o-1'], delivery: ['d-1'] },
};

const bodyOf = (detail: object) =>
  JSON.stringify({
    version: '0',
    id: 'e-1',
    source: 'aws.ses',
    time: '2026-11-17T09:00:03Z',
    detail: { mail, ...detail },
  });

const told = { shop: 'shoes', address: 'ada@example.com', order: 'o-1', delivery: 'd-1', sentAt: mail.timestamp };

describe('a report of SES', () => {
  it('of an address that does not exist suppresses it', () => {
    const bounce = { bounceType: 'Permanent', bounceSubType: 'General', timestamp: at, bouncedRecipients: [] };
    const report = mailReportIn(bodyOf({ eventType: 'Bounce', bounce }));
    expect(report).toEqual({ ...told, feedback: { kind: 'bounce', at }, suppresses: 'bounce' });
  });

  it.each(['Transient', 'Undetermined'])('of a bounce that is %s suppresses nothing', (bounceType) => {
    const report = mailReportIn(bodyOf({ eventType: 'Bounce', bounce: { bounceType, timestamp: at } }));
    expect(report).toEqual({ ...told, feedback: { kind: 'soft_bounce', at } });
  });

  it('of a complaint suppresses the address', () => {
    const report = mailReportIn(bodyOf({ eventType: 'Complaint', complaint: { timestamp: at } }));
    expect(report).toEqual({ ...told, feedback: { kind: 'complaint', at }, suppresses: 'complaint' });
  });

  it('of a delay or a rejection is only told', () => {
    const delayed = mailReportIn(bodyOf({ eventType: 'DeliveryDelay', deliveryDelay: { timestamp: at } }));
    expect(delayed?.feedback).toEqual({ kind: 'delayed', at });
    const rejected = mailReportIn(bodyOf({ eventType: 'Reject', reject: { reason: 'Bad content' } }));
    expect(rejected?.feedback).toEqual({ kind: 'rejected', at: '2026-11-17T09:00:03Z' });
    expect([delayed?.suppresses, rejected?.suppresses]).toEqual([undefined, undefined]);
  });

  it('of another kind is nothing', () => {
    expect(mailReportIn(bodyOf({ eventType: 'Delivery', delivery: {} }))).toBeUndefined();
  });

  it.each([
    ['no JSON', 'x'],
    ['a text', '"x"'],
    ['no detail', '{}'],
    ['no mail', JSON.stringify({ detail: { eventType: 'Bounce' } })],
    ['a mail of somebody else', bodyOf({ eventType: 'Bounce', mail: { ...mail, tags: {} } })],
    ['a mail to nobody', bodyOf({ eventType: 'Bounce', mail: { ...mail, destination: [] } })],
  ])('that is %s can never be handled', (_case, body) => {
    expect(() => mailReportIn(body)).toThrow(RecordFault);
  });
});
