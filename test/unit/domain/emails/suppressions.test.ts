import { KMSClient } from '@aws-sdk/client-kms';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, it } from 'vitest';
import { addressHash } from '#domain/emails/address-hash.ts';
import { listSuppressions, readSuppression, removeSuppression, suppress } from '#domain/emails/suppression-store.ts';
import { readUnsubscribeToken, unsubscribeToken } from '#domain/emails/unsubscribe-token.ts';
import { knownDataKeys } from '#platform/secrets/data-key.ts';
import { fakeKms } from '#test/kit/fake-kms.ts';
import { memoryTable } from '#test/kit/memory-table.ts';

const kms = mockClient(KMSClient);
const slug = 'shop-one';
const pageToken = 'AAAAAAAAAAAAAAAAAAAAAA';

beforeEach(() => {
  memoryTable.renew();
  fakeKms(kms);
  knownDataKeys.clear();
});

describe('the hash of an address', () => {
  it('is the same however the address is written, and another one in another shop', async () => {
    const hash = await addressHash(slug, 'Ada@Example.com');
    expect(await addressHash(slug, '  ada@example.COM ')).toBe(hash);
    expect(await addressHash('shop-two', 'ada@example.com')).not.toBe(hash);
    expect(hash).toMatch(/^[\w-]{22}$/);
  });

  it('costs no call of KMS but the first', async () => {
    await addressHash(slug, 'a@example.com');
    const calls = kms.calls().length;
    for (let i = 0; i < 20; i++) await addressHash(slug, `${i}@example.com`);
    expect(kms.calls()).toHaveLength(calls);
  });
});

describe('the token of an unsubscribe link', () => {
  const token = () => unsubscribeToken({ pageToken, slug, address: 'ada@example.com' });

  it('leads to its shop, its page and the hash of its address', async () => {
    const hash = await addressHash(slug, 'ada@example.com');
    expect(await readUnsubscribeToken(await token())).toEqual({ slug, pageToken, addressHash: hash });
  });

  it('is worth nothing when any of its characters is another', async () => {
    const text = await token();
    for (let i = 0; i < text.length; i++) {
      const other = text[i] === 'B' ? 'C' : 'B';
      expect(await readUnsubscribeToken(text.slice(0, i) + other + text.slice(i + 1))).toBeUndefined();
    }
  });

  it.each([
    '',
    '.',
    '..',
    'a.b.c',
    `${pageToken}.${pageToken}.`,
    `${pageToken}.${pageToken}.${pageToken}.x`,
    'é.é.é',
    `${pageToken}.${pageToken}.${'é'.repeat(22)}`,
  ])('is refused as %j', async (text) => {
    expect(await readUnsubscribeToken(text)).toBeUndefined();
  });
});

describe('suppressed addresses', () => {
  const one = { slug, id: 'hash', order_id: 'order' };
  const all = async () =>
    (await listSuppressions(slug)(100, undefined)).entries.map(({ id, reason }) => ({ id, reason }));

  it('are listed newest first', async () => {
    await suppress({ ...one, id: 'first', reason: 'unsubscribed', at: '2026-01-01T00:00:00.000Z' });
    await suppress({ ...one, id: 'second', reason: 'bounce', at: '2026-01-02T00:00:00.000Z' });
    expect((await all()).map(({ id }) => id)).toEqual(['second', 'first']);
  });

  it.each(['bounce', 'complaint'] as const)('stay a %s when the customer unsubscribes too', async (reason) => {
    const first = { ...one, reason, at: '2026-01-01T00:00:00.000Z' };
    await suppress(first);
    expect(await suppress({ ...one, reason: 'unsubscribed', at: '2026-01-02T00:00:00.000Z' })).toMatchObject(first);
    expect(await readSuppression(slug, 'hash')).toMatchObject(first);
  });

  it.each(['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'])(
    'become a bounce after the customer unsubscribed, and are listed once (at %s)',
    async (at) => {
      await suppress({ ...one, reason: 'unsubscribed', at: '2026-01-01T00:00:00.000Z' });
      await suppress({ ...one, reason: 'bounce', at });
      expect(await all()).toEqual([{ id: 'hash', reason: 'bounce' }]);
      expect(await readSuppression(slug, 'hash')).toMatchObject({ reason: 'bounce', at });
    },
  );

  it('get e-mails again when they are removed, and customers take back only what they asked for', async () => {
    await suppress({ ...one, reason: 'complaint', at: '2026-01-01T00:00:00.000Z' });
    expect(await removeSuppression(slug, 'hash', 'unsubscribed')).toBe(false);
    expect(await removeSuppression(slug, 'hash')).toBe(true);
    expect(await removeSuppression(slug, 'hash')).toBe(false);
    expect(await readSuppression(slug, 'hash')).toBeUndefined();
    expect(memoryTable.all('SUPPRESSIONS#')).toEqual([]);
  });
});
