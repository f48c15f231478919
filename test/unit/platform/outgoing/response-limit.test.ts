import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { maxBytesRead, readBeginning } from '#platform/outgoing/response-limit.ts';

const kept = 10;

test('a body is read to its end, and its beginning is kept', async () => {
  const body = Readable.from([Buffer.from('one '), Buffer.from('two '), Buffer.from('three '), Buffer.from('four')]);
  expect(String(await readBeginning(body, kept))).toBe('one two th');
  expect(body.readableEnded).toBe(true);
});

test('an empty body is an empty beginning', async () => {
  expect(await readBeginning(Readable.from([]), kept)).toEqual(Buffer.alloc(0));
});

test('a body without end is read to the limit, and then no further', async () => {
  let sent = 0;
  const part = Buffer.alloc(maxBytesRead / 4, 'x');
  const body = new Readable({
    read() {
      sent += part.length;
      this.push(part);
    },
  });
  expect(String(await readBeginning(body, kept))).toBe('x'.repeat(kept));
  expect(body.destroyed).toBe(true);
  expect(sent).toBeLessThan(3 * maxBytesRead);
});

test('a body that fails in the middle is a failure', async () => {
  const body = new Readable({ read: () => {} });
  const reading = readBeginning(body, kept);
  body.push('begun');
  body.destroy(new Error('reset'));
  await expect(reading).rejects.toThrow('reset');
});

test('a body that is closed before its end is a failure', async () => {
  const body = new Readable({ read: () => {} });
  const reading = readBeginning(body, kept);
  body.push('begun');
  body.destroy();
  await expect(reading).rejects.toMatchObject({ code: 'ERR_STREAM_PREMATURE_CLOSE' });
});
