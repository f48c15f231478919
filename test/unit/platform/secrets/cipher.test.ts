import { createHash } from 'node:crypto';
import { DecryptCommand, EncryptCommand, GenerateDataKeyWithoutPlaintextCommand, KMSClient } from '@aws-sdk/client-kms';
import { BatchGetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { wrappedKeyOf } from '#platform/secrets/envelope.ts';
import { fakeKms } from '#test/kit/fake-kms.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { beforeNextRequest, dynamo, tableWith } from '#test/kit/table.ts';

const kms = mockClient(KMSClient);
const calls = () => ({
  generated: kms.commandCalls(GenerateDataKeyWithoutPlaintextCommand).length,
  encrypted: kms.commandCalls(EncryptCommand).length,
  decrypted: kms.commandCalls(DecryptCommand).length,
});

type Cipher = typeof import('#platform/secrets/cipher.ts');

/** One execution environment, with a cache of its own. */
async function environment(): Promise<Cipher> {
  vi.resetModules();
  return import('#platform/secrets/cipher.ts');
}

const webhook = (uuid: string, shop = 'blue') => ({ shop, webhook: uuid });

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-14T12:00:00Z'), toFake: ['Date'] });
  fakeKms(kms);
  tableWith();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the secrets of a shop', () => {
  test('have one data key, which KMS makes once', async () => {
    const here = await environment();
    const secrets = await Promise.all(['e1', 'e2'].map((uuid) => here.encryptWithDataKey(uuid, webhook(uuid))));
    expect(calls().generated).toBeGreaterThan(0);
    const there = await environment();
    kms.resetHistory();
    secrets.push(await there.encryptWithDataKey('e3', webhook('e3')));
    const opened = await Promise.all(secrets.map((secret, i) => there.decryptOnce(secret, webhook(`e${i + 1}`))));
    expect(opened).toEqual(['e1', 'e2', 'e3']);
    expect(calls()).toEqual({ generated: 0, encrypted: 0, decrypted: 1 });
  });

  test('cost one request to KMS in an environment and five minutes, however many they are', async () => {
    const here = await environment();
    const secrets: Uint8Array[] = [];
    for (let i = 0; i < 50; i++) secrets.push(await here.encryptWithDataKey(`secret-${i}`, webhook(`e${i}`)));
    expect(calls()).toEqual({ generated: 1, encrypted: 0, decrypted: 1 });
    expect(dynamo.commandCalls(BatchGetCommand)).toHaveLength(1);
    const there = await environment();
    for (const _ of [1, 2]) {
      kms.resetHistory();
      for (const [i, secret] of secrets.entries()) await there.decryptOnce(secret, webhook(`e${i}`));
      expect(calls().decrypted).toBe(1);
      vi.setSystemTime(Date.now() + 5 * 60_000);
    }
  });

  test('are read without the item of the data key, which only serves to find it again', async () => {
    const secret = await (await environment()).encryptWithDataKey('secret', webhook('e1'));
    tableWith();
    expect(await (await environment()).decryptOnce(secret, webhook('e1'))).toBe('secret');
  });

  test('have another data key for each kind, because functions may read one kind and not another', async () => {
    const here = await environment();
    await here.encryptWithDataKey('a', webhook('e1'));
    await here.encryptWithDataKey('b', { shop: 'blue', automation: 'a1' });
    expect(
      kms.commandCalls(GenerateDataKeyWithoutPlaintextCommand).map(({ args }) => args[0].input.EncryptionContext),
    ).toEqual([
      { shop: 'blue', webhook: '*' },
      { shop: 'blue', automation: '*' },
    ]);
    expect(memoryTable.all('DATAKEYS#').map(({ pk, sk }) => [pk, sk])).toEqual([
      ['DATAKEYS#blue', 'automation'],
      ['DATAKEYS#blue', 'webhook'],
    ]);
  });

  test('cannot be read as those of another shop, place or kind', async () => {
    const here = await environment();
    const secret = await here.encryptWithDataKey('secret', webhook('e1'));
    for (const context of [webhook('e2'), webhook('e1', 'red'), { shop: 'blue', automation: 'e1' }]) {
      await expect(here.decryptOnce(secret, context)).rejects.toMatchObject({ name: 'InvalidCiphertextException' });
    }
  });
});

test('of two that create the data key of a shop at once, both use the first', async () => {
  const [one, other] = [await environment(), await environment()];
  const scope = { shop: 'blue', webhook: '*' };
  const wrapped = Buffer.from(fakeKms.wrap(scope, createHash('sha256').update('the first').digest()));
  beforeNextRequest(PutCommand, () => memoryTable.put({ pk: 'DATAKEYS#blue', sk: 'webhook', wrapped }));
  const late = await one.encryptWithDataKey('secret-1', webhook('e1'));
  const later = await other.encryptWithDataKey('secret-2', webhook('e2'));
  expect([late, later].map((secret) => Buffer.from(wrappedKeyOf(secret)))).toEqual([wrapped, wrapped]);
  const reader = await environment();
  kms.resetHistory();
  expect(await reader.decryptOnce(late, webhook('e1'))).toBe('secret-1');
  expect(await reader.decryptOnce(later, webhook('e2'))).toBe('secret-2');
  expect(calls().decrypted).toBe(1);
});

test('a secret that KMS encrypted directly stays readable, with its own context', async () => {
  const here = await environment();
  const old = await here.encrypt('an old secret', webhook('e1'));
  expect(calls()).toEqual({ generated: 0, encrypted: 1, decrypted: 0 });
  expect(await here.decryptOnce(old, webhook('e1'))).toBe('an old secret');
  expect(kms.commandCalls(DecryptCommand)[0]!.args[0].input.EncryptionContext).toEqual(webhook('e1'));
  await expect(here.decryptOnce(old, webhook('e2'))).rejects.toThrow();
});

test('a failed decryption is tried again, not remembered', async () => {
  const here = await environment();
  const secret = await here.encryptWithDataKey('secret', webhook('e1'));
  const there = await environment();
  kms.on(DecryptCommand).rejects(Object.assign(new Error(), { name: 'KMSInternalException' }));
  await expect(there.decryptOnce(secret, webhook('e1'))).rejects.toMatchObject({ name: 'KMSInternalException' });
  fakeKms(kms);
  expect(await there.decryptOnce(secret, webhook('e1'))).toBe('secret');
});
