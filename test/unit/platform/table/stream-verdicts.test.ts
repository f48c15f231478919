import type { DynamoDBRecord } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import { NotEnqueued } from '#platform/queue.ts';
import { type RecordOutcome, verdictsOf } from '#platform/table/stream-verdicts.ts';
import { WriteConflict } from '#platform/table/writes.ts';
import { NotTried, RecordFault, TookTooLong } from '#platform/verdicts.ts';

const now = new Date('2026-11-14T12:00:00Z');
const minute = 60;
const hour = 60 * minute;

type Options = Partial<Pick<RecordOutcome, 'kind' | 'isProof'>> & { image?: object };

/** An outcome of a record of this age. */
function outcome(ageSeconds: number, error?: unknown, { image = of('blue'), ...more }: Options = {}): RecordOutcome {
  const dynamodb = { ApproximateCreationDateTime: now.getTime() / 1000 - ageSeconds, NewImage: image };
  return { record: { dynamodb } as DynamoDBRecord, kind: 'event', error, isProof: error === undefined, ...more };
}
const of = (slug: string) => ({ shop_slug: { S: slug } });
const orderOf = (slug: string) => ({ pk: { S: `ORDER#${slug}#1` } });
/** The function has just handled others of the kind, in other batches. */
const proven = new Map([
  ['event', now.getTime()],
  ['order_created', now.getTime()],
]);
const verdicts = (...outcomes: RecordOutcome[]) => verdictsOf(outcomes, now, proven);
const verdictsUnproven = (...outcomes: RecordOutcome[]) => verdictsOf(outcomes, now, new Map());

const named = (name: string, more: object = {}) => Object.assign(new Error(name), { name, ...more });
const denied = named('AccessDeniedException', { $metadata: {} });
const ownBug = new TypeError('x is undefined');

describe('a record that failed', () => {
  test.each([
    ['a missing grant', denied],
    ['a throttle', named('ThrottlingException')],
    ['a queue that refuses', new NotEnqueued([{}])],
    ['a lost race', new WriteConflict([])],
    ['a broken connection', named('Error', { code: 'ECONNRESET' })],
    ['a request without an answer', named('TimeoutError')],
  ])('because of %s comes again for most of a day, also if others of its batch were handled', (_, error) => {
    expect(verdicts(outcome(21 * hour, error), outcome(21 * hour))).toEqual(['again', 'done']);
    expect(verdicts(outcome(22 * hour, error))).toEqual(['put_aside']);
  });

  test('because of itself is put aside at once', () => {
    expect(verdicts(outcome(0, new RecordFault('Malformed')), outcome(0))).toEqual(['put_aside', 'done']);
  });

  test('for an unknown reason is put aside after two minutes if others of its kind were handled', () => {
    expect(verdicts(outcome(minute, ownBug), outcome(0))).toEqual(['again', 'done']);
    expect(verdicts(outcome(2 * minute, ownBug), outcome(0))).toEqual(['put_aside', 'done']);
    const invalid = named('ValidationException', { $metadata: {} });
    expect(verdicts(outcome(2 * minute, invalid), outcome(0))).toEqual(['put_aside', 'done']);
  });

  test('because it took too long is judged as one that failed for an unknown reason', () => {
    const late = new TookTooLong();
    expect(verdicts(outcome(2 * minute, late), outcome(0))).toEqual(['put_aside', 'done']);
    expect(verdicts(outcome(hour, late), outcome(hour, late, { image: of('red') }))).toEqual(['again', 'again']);
  });

  test('because others took too long comes again, and is no sign of an outage', () => {
    const [late, notTried] = [outcome(hour, new TookTooLong()), outcome(hour, new NotTried(), { image: of('red') })];
    expect(verdicts(late, notTried)).toEqual(['put_aside', 'again']);
  });

  test('for an unknown reason comes again while those of other shops fail too, as after a bad deployment', () => {
    const handled = outcome(0, undefined, { kind: 'wake' });
    const [blue, red] = [outcome(hour, ownBug), outcome(hour, ownBug, { image: of('red') })];
    expect(verdicts(blue, red, handled)).toEqual(['again', 'again', 'done']);
    const change = outcome(hour, ownBug, { kind: 'order_created', image: orderOf('red') });
    expect(verdicts(blue, change)).toEqual(['again', 'again']);
  });

  test('for an unknown reason is put aside after a quarter of an hour if only its own shop has failures', () => {
    const change = outcome(hour, ownBug, { kind: 'order_created', image: orderOf('blue') });
    const handled = outcome(0, undefined, { kind: 'wake', image: of('red') });
    expect(verdicts(outcome(hour, ownBug), outcome(hour, ownBug), change, handled)).toEqual([
      'put_aside',
      'put_aside',
      'put_aside',
      'done',
    ]);
  });

  test('for an unknown reason is not judged by a record of another shop that is itself at fault', () => {
    const malformed = outcome(hour, new RecordFault('Malformed'), { image: of('red') });
    expect(verdicts(outcome(hour, ownBug), malformed)).toEqual(['put_aside', 'put_aside']);
  });

  test('for an unknown reason is not judged by a record that nobody was interested in', () => {
    const passed = outcome(0, undefined, { isProof: false });
    expect(verdicts(outcome(10 * minute, ownBug), passed)).toEqual(['again', 'done']);
    expect(verdicts(outcome(15 * minute, ownBug), passed)).toEqual(['put_aside', 'done']);
  });

  test('for an unknown reason and is the only one of its batch is put aside after a quarter of an hour', () => {
    expect(verdicts(outcome(14 * minute, ownBug))).toEqual(['again']);
    expect(verdicts(outcome(15 * minute, ownBug))).toEqual(['put_aside']);
  });

  test('for an unknown reason, while nothing of its kind was handled, waits for six hours, as a bad deployment for one shop would', () => {
    const [recent, old] = [outcome(5.9 * hour, ownBug), outcome(6 * hour, ownBug)];
    expect(verdictsUnproven(recent)).toEqual(['again']);
    expect(verdictsUnproven(old)).toEqual(['put_aside']);
    expect(verdictsUnproven(recent, recent)).toEqual(['again', 'again']);
    const otherKind = outcome(0, undefined, { kind: 'wake', image: of('red') });
    expect(verdictsUnproven(recent, otherKind)).toEqual(['again', 'done']);
  });

  test('for an unknown reason is judged only by what was handled since it was written, and of its kind', () => {
    const failed = outcome(hour, ownBug);
    const since = (seconds: number, kind = 'event') =>
      verdictsOf([failed], now, new Map([[kind, now.getTime() - seconds * 1000]]));
    expect(since(59 * minute)).toEqual(['put_aside']);
    expect(since(61 * minute)).toEqual(['again']);
    expect(since(0, 'wake')).toEqual(['again']);
  });

  test('for an unknown reason comes again while other shops fail, also if its kind was handled before', () => {
    const red = outcome(7 * hour, ownBug, { image: of('red') });
    expect(verdicts(outcome(7 * hour, ownBug), red)).toEqual(['again', 'again']);
  });
});
