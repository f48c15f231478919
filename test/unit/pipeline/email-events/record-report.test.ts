import { KMSClient } from '@aws-sdk/client-kms';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, it } from 'vitest';
import { addressHash } from '#domain/emails/address-hash.ts';
import { readSuppression } from '#domain/emails/suppression-store.ts';
import type { MailReport } from '#pipeline/email-events/mail-report.ts';
import { recordReport } from '#pipeline/email-events/record-report.ts';
import { knownDataKeys } from '#platform/secrets/data-key.ts';
import { keyOf } from '#platform/table/keys.ts';
import { NotYet } from '#platform/verdicts.ts';
import { fakeKms } from '#test/kit/fake-kms.ts';
import { memoryTable } from '#test/kit/memory-table.ts';

const kms = mockClient(KMSClient);
const slug = 'shoes';
const now = new Date('2026-11-17T09:00:10.000Z');
const key = keyOf.delivery(slug, 'email', 'd-1');

const report = (changes: Partial<MailReport> = {}): MailReport => ({
  shop: slug,
  address: 'ada@example.com',
  order: 'o-1',
  delivery: 'd-1',
  feedback: { kind: 'bounce', at: '2026-11-17T09:00:05.000Z' },
  suppresses: 'bounce',
  sentAt: '2026-11-17T09:00:00.000Z',
  ...changes,
});

const suppressed = async () => readSuppression(slug, await addressHash(slug, 'Ada@example.com'));

beforeEach(() => {
  memoryTable.renew();
  memoryTable.put({ ...keyOf.shop(slug), slug });
  memoryTable.put({ ...key, id: 'd-1', status: 'delivered' });
  fakeKms(kms);
  knownDataKeys.clear();
});

describe('a report about a mail', () => {
  it('of a shop that was removed meanwhile is not recorded', async () => {
    memoryTable.remove(keyOf.shop(slug));
    const before = memoryTable.all();
    await recordReport(report(), now);
    expect(memoryTable.all()).toEqual(before);
  });

  it('suppresses its address and is in the log, however often it comes', async () => {
    for (let i = 0; i < 3; i++) await recordReport(report(), now);
    expect(await suppressed()).toMatchObject({ reason: 'bounce', order_id: 'o-1', at: '2026-11-17T09:00:05.000Z' });
    expect(memoryTable.read(key)?.feedback).toEqual({ kind: 'bounce', at: '2026-11-17T09:00:05.000Z' });
  });

  it('does not hide a newer one', async () => {
    await recordReport(report({ feedback: { kind: 'complaint', at: '2026-11-17T09:00:09.000Z' } }), now);
    const { suppresses: _, ...delayed } = report({ feedback: { kind: 'delayed', at: '2026-11-17T09:00:01.000Z' } });
    await recordReport(delayed, now);
    expect(memoryTable.read(key)?.feedback).toMatchObject({ kind: 'complaint' });
  });

  it('that suppresses nothing is only in the log', async () => {
    const { suppresses: _, ...soft } = report({ feedback: { kind: 'soft_bounce', at: '2026-11-17T09:00:05.000Z' } });
    await recordReport(soft, now);
    expect(await suppressed()).toBeUndefined();
    expect(memoryTable.read(key)?.feedback).toMatchObject({ kind: 'soft_bounce' });
  });

  it('waits for a delivery that is not written yet, but not for ever', async () => {
    memoryTable.remove(key);
    await expect(recordReport(report(), now)).rejects.toThrow(NotYet);
    expect(await suppressed()).toMatchObject({ reason: 'bounce' });
    await recordReport(report(), new Date('2026-11-17T10:00:01.000Z'));
    expect(memoryTable.read(key)).toBeUndefined();
  });

  it('of a test mail is recorded nowhere', async () => {
    const { order: _, delivery: __, ...test } = report();
    await recordReport(test, now);
    expect(await suppressed()).toBeUndefined();
  });
});
