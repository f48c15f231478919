import { describe, expect, test } from 'vitest';
import { NotEnqueued } from '#platform/queue.ts';
import { WriteConflict } from '#platform/table/writes.ts';
import { UnknownForm } from '#platform/unknown-form.ts';
import { NotYet, type Outcome, RecordFault, TookTooLong, verdictsOn } from '#platform/verdicts.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

interface Aged extends Outcome {
  ageMs: number;
}
const failed = (ageMs: number, error: unknown): Aged => ({ ageMs, error, isHandled: false });
const handled: Aged = { ageMs: 0, isHandled: true };
const unwanted: Aged = { ageMs: 0, isHandled: false };
const verdicts = (...outcomes: Aged[]) => verdictsOn(outcomes, ({ ageMs }) => ageMs, day);

const named = (name: string, more: object = {}) => Object.assign(new Error(name), { name, ...more });
const ownBug = new TypeError('x is undefined');

test.each([
  ['a missing grant', named('AccessDeniedException', { $metadata: {} })],
  ['a throttle', named('ThrottlingException')],
  ['a queue that refuses', new NotEnqueued([{}])],
  ['a lost race', new WriteConflict([])],
  ['a broken connection', named('Error', { code: 'ECONNRESET' })],
  ['a request without an answer', named('TimeoutError')],
  ['a newer version', new UnknownForm('unknown')],
  ['others that took too long', new NotYet('NotTried')],
])('what failed because of %s waits for as long as it exists, also if others are handled', (_, error) => {
  expect(verdicts(failed(day - 1, error), handled)).toEqual(['again', 'done']);
  expect(verdicts(failed(day, error), handled)).toEqual(['put_aside', 'done']);
});

test('what is itself at fault is put aside at once, also if nothing else is handled', () => {
  expect(verdicts(failed(0, new RecordFault('Malformed')))).toEqual(['put_aside']);
});

describe('what failed for an unknown reason', () => {
  test.each([
    ['a fault of the code', ownBug],
    ['a request that AWS finds invalid', named('ValidationException', { $metadata: {} })],
    ['work that took too long', new TookTooLong()],
  ])('is put aside after a quarter of an hour if anything else is handled: %s', (_, error) => {
    expect(verdicts(failed(15 * minute - 1, error), handled)).toEqual(['again', 'done']);
    expect(verdicts(failed(15 * minute, error), handled)).toEqual(['put_aside', 'done']);
  });

  test('waits as in an outage if nothing else is handled, as after a bad deployment', () => {
    expect(verdicts(failed(day - 1, ownBug), failed(day, ownBug))).toEqual(['again', 'put_aside']);
  });

  test('is not judged by what nobody wanted, nor by what is itself at fault', () => {
    const malformed = failed(0, new RecordFault('Malformed'));
    expect(verdicts(failed(day - 1, ownBug), unwanted, malformed)).toEqual(['again', 'done', 'put_aside']);
  });
});
