import { createHash, createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Sha256 } from '#platform/sdk-shortcuts.ts';

const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
/** A part of a larger buffer, as the SDK passes them. */
const part = new Uint8Array(bytes.buffer, 100, 50);
const hex = async (sha256: Sha256) => Buffer.from(await sha256.digest()).toString('hex');

describe('Sha256', () => {
  test.each([
    ['a text', 'größe'],
    ['bytes', bytes],
    ['a part of a buffer', part],
    ['a buffer', new Uint8Array(part).buffer],
    ['nothing', ''],
  ])('hashes %s', async (_, data) => {
    const sha256 = new Sha256();
    sha256.update(data);
    const expected = createHash('sha256').update(data instanceof ArrayBuffer ? new Uint8Array(data) : data);
    expect(await hex(sha256)).toBe(expected.digest('hex'));
  });

  test.each([
    ['a text', 'schlüssel'],
    ['bytes', bytes],
    ['a part of a buffer', part],
  ])('signs with %s as the key', async (_, key) => {
    const sha256 = new Sha256(key);
    sha256.update('data');
    expect(await hex(sha256)).toBe(createHmac('sha256', key).update('data').digest('hex'));
  });

  test('joins what it gets in several parts, and can go on after a digest', async () => {
    const sha256 = new Sha256('key');
    sha256.update('one');
    sha256.update(new Uint8Array([1, 2]));
    expect(await hex(sha256)).toBe(createHmac('sha256', 'key').update('one').update('\x01\x02').digest('hex'));
    sha256.update('three');
    expect(await hex(sha256)).toBe(createHmac('sha256', 'key').update('one\x01\x02three').digest('hex'));
  });

  test('hashes nothing before it gets data, and forgets its data, but not its key, at a reset', async () => {
    expect(await hex(new Sha256())).toBe(createHash('sha256').digest('hex'));
    const sha256 = new Sha256('key');
    sha256.update('one');
    sha256.reset();
    sha256.update('two');
    expect(await hex(sha256)).toBe(createHmac('sha256', 'key').update('two').digest('hex'));
  });

  test('does not change with a key that its owner overwrites', async () => {
    const key = new Uint8Array([1, 2, 3]);
    const sha256 = new Sha256(key);
    key.fill(0);
    sha256.update('data');
    expect(await hex(sha256)).toBe(
      createHmac('sha256', new Uint8Array([1, 2, 3]))
        .update('data')
        .digest('hex'),
    );
  });
});
