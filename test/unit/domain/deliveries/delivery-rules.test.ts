import { describe, expect, test } from 'vitest';
import {
  afterAttempt,
  backOffSeconds,
  isRetried,
  isTooLong,
  newestAttempts,
  nextAttemptAt,
  retryAfterSeconds,
  retryStateOf,
  totalAttempts,
  waitOf,
} from '#domain/deliveries/delivery-rules.ts';

const now = new Date('2026-11-14T12:00:00Z');
const backOff = (failures: number, more: object = {}) => backOffSeconds({ failures, now, random: 0.5, ...more });

const twelveHours = 12 * 3600;

describe('a delivery whose last attempt failed', () => {
  const at = (second: number) => new Date(Date.UTC(2026, 10, 14, 12, 0, second)).toISOString();
  const attempts = [{ at: at(1), duration_ms: 5, status: 500, error: 'http_500' }];
  const failed = { status: 'pending', attempts, next_attempt_at: at(11) } as const;

  test('is tried again, and says when', () => {
    expect([isRetried(failed), nextAttemptAt(failed)]).toEqual([true, at(11)]);
  });

  test('says nothing if the time is that of the attempt that has failed, as an older version leaves it', () => {
    const again = { ...failed, attempts: [...attempts, { ...attempts[0]!, at: at(12) }] };
    expect([isRetried(again), nextAttemptAt(again)]).toEqual([true, null]);
  });

  test('is not tried again once it was sent again, arrived, was parked or given up', () => {
    const others = [{ run_since: at(5) }, { status: 'delivered' }, { status: 'parked' }, { status: 'failed' }] as const;
    for (const other of others) {
      expect([isRetried({ ...failed, ...other }), nextAttemptAt({ ...failed, ...other })]).toEqual([false, null]);
    }
  });

  test('counts on although its log is cut', () => {
    const many = Array.from({ length: 20 }, (_, second) => ({ at: at(second), duration_ms: 1 }));
    const cut = newestAttempts({ attempts: many }, 15);
    expect([cut.attempts.length, totalAttempts(cut)]).toEqual([15, 20]);
    const later = newestAttempts({ ...cut, attempts: [...cut.attempts, ...many] }, 30);
    expect([later.attempts.length, totalAttempts(later)]).toEqual([30, 40]);
    expect(newestAttempts({ attempts: many }, 30)).toEqual({ attempts: many });
  });
});

describe('the time until the next attempt', () => {
  test('begins with 10 s and doubles', () => {
    expect([1, 2, 3, 4, 5, 10].map((failures) => backOff(failures))).toEqual([10, 20, 40, 80, 160, 5120]);
  });

  test('varies by up to 20 %', () => {
    expect([0, 0.25, 1].map((random) => backOff(4, { random }))).toEqual([64, 72, 96]);
  });

  test('is 12 h at most, jitter included', () => {
    for (const failures of [13, 14, 15, 100]) expect(backOff(failures, { random: 1 })).toBe(twelveHours);
  });

  test('is at least what the target asks for, in seconds or as a date', () => {
    expect(backOff(1, { retryAfter: '120' })).toBe(120);
    expect(backOff(1, { retryAfter: 'Sat, 14 Nov 2026 12:02:00 GMT' })).toBe(120);
    expect(backOff(1, { retryAfter: 'Saturday, 14-Nov-26 12:02:00 GMT' })).toBe(120);
  });

  test('is not shortened by what the target asks for', () => {
    expect(backOff(3, { retryAfter: '1' })).toBe(40);
    expect(backOff(3, { retryAfter: 'Sat, 14 Nov 2026 11:00:00 GMT' })).toBe(40);
  });

  test('is 12 h when the target asks for more', () => {
    expect(backOff(1, { retryAfter: '999999999' })).toBe(twelveHours);
  });

  test.each(['', 'soon', '-5', '1.5', '1e9x', 'soon 2049', 'try 40', '3000-01-01'])(
    'ignores the invalid Retry-After %j',
    (header) => {
      expect(retryAfterSeconds(header, now)).toBe(0);
    },
  );

  test('has the base that the deployment sets', () => {
    process.env.RETRY_BASE_SECONDS = '1';
    expect(backOff(3)).toBe(4);
    delete process.env.RETRY_BASE_SECONDS;
  });
});

describe('an attempt', () => {
  const delivered = { status: 'delivered', counts: true, isTargetUp: true, message: 'done' };
  const gone = { status: 'failed', counts: true, isTargetUp: true, message: 'done' };
  const again = { status: 'pending', counts: true, isTargetUp: false, message: 'retry' };
  const givenUp = { status: 'failed', counts: true, isTargetUp: false, message: 'done' };
  const upButFailed = { status: 'pending', counts: true, isTargetUp: true, message: 'retry' };
  const waitsForTurn = { status: 'pending', counts: false, isTargetUp: undefined, message: 'wait' };
  const waits = { status: 'parked', counts: false, isTargetUp: false, message: 'done' };

  test.each([
    ['that succeeds delivers', { status: 204 }, 0, false, delivered],
    ['that succeeds as the last one delivers', { status: 200 }, 14, false, delivered],
    ['that fails is tried again', { status: 500, error: 'http_500' }, 0, false, again],
    ['that fails as the 14th is tried again', { error: 'timeout' }, 13, false, again],
    ['that fails as the 15th is the last one', { error: 'timeout' }, 14, false, givenUp],
    ['that is answered with 410 is tried again', { status: 410, error: 'http_410' }, 0, false, again],
    ['that is a probe and is answered with 410 does not count', { status: 410, error: 'http_410' }, 0, true, waits],
    ['that a vendor refuses for good ends the delivery', { status: 400, error: 'x', isFinal: true }, 0, false, gone],
    ['that is a probe and is refused for good ends the delivery', { error: 'x', isFinal: true }, 0, true, gone],
    ['that is a failed probe does not count', { error: 'timeout' }, 14, true, waits],
    [
      'that is a failed probe of a working target is tried again',
      { error: 'x', isTargetUp: true },
      0,
      true,
      upButFailed,
    ],
    ['that is throttled waits for its turn', { status: 429, error: 'x', isThrottled: true }, 0, false, waitsForTurn],
    [
      'that is a throttled probe waits for its turn and shows that the target is up',
      { status: 429, error: 'x', isThrottled: true },
      0,
      true,
      { ...waitsForTurn, isTargetUp: true },
    ],
    ['that is cut off after a success is tried again', { status: 200, error: 'timeout' }, 0, false, again],
  ] as const)('%s', (_, result, attemptCount, isProbe, after) => {
    expect(afterAttempt(result, { attemptCount, isProbe })).toEqual(after);
  });

  test.each([false, true])('that is throttled after a day of waiting ends the delivery only (probe: %s)', (isProbe) => {
    const throttled = { status: 429, error: 'http_429', isThrottled: true };
    const waited = { attemptCount: 0, isProbe, hasWaitedTooLong: true };
    const ended = { status: 'failed', counts: false, isTargetUp: isProbe || undefined, message: 'done' };
    expect(afterAttempt(throttled, waited)).toEqual(ended);
  });
});

describe('a message', () => {
  const delivery = (attempt_count: number, retry_id?: string, status: 'pending' | 'parked' = 'pending') => ({
    status,
    attempt_count,
    ...(retry_id && { retry_id }),
  });

  test.each([
    ['without a retry makes the first attempt', delivery(0), undefined, 'current'],
    ['without a retry goes when a failure was recorded', delivery(1, 'a'), undefined, 'replaced'],
    ['of the recorded retry makes the next attempt', delivery(1, 'a'), { id: 'a', attempts: 1 }, 'current'],
    ['of the recorded retry does so in a new run too', delivery(0, 'a'), { id: 'a', attempts: 1 }, 'current'],
    ['of another retry goes', delivery(1, 'a'), { id: 'b', attempts: 1 }, 'replaced'],
    ['of an earlier retry goes', delivery(2, 'b'), { id: 'a', attempts: 1 }, 'replaced'],
    ['whose failure is not recorded yet comes back', delivery(1, 'a'), { id: 'b', attempts: 2 }, 'early'],
    ['of a former run goes once the new run has failed', delivery(3, 'b'), { id: 'a', attempts: 2 }, 'replaced'],
    ['of any retry brings a parked delivery', delivery(3, 'b', 'parked'), { id: 'a', attempts: 2 }, 'current'],
    ['without a retry brings a parked delivery', delivery(3, 'b', 'parked'), undefined, 'current'],
  ] as const)('%s', (_, stored, retry, standing) => expect(retryStateOf(stored, retry)).toBe(standing));
});

describe('the wait of a delivery for its turn', () => {
  const begun = { since: '2026-11-13T11:59:59.999Z', attempts: 2 };
  const fresh = (attempts: number) => ({ since: now.toISOString(), attempts });

  test('begins with its first message that waits, and goes on in the next', () => {
    expect(waitOf({ attempt_count: 2 }, undefined, now)).toEqual(fresh(2));
    expect(waitOf({ attempt_count: 2 }, begun, now)).toEqual(begun);
  });

  test('begins again after an attempt, and in a new run', () => {
    expect(waitOf({ attempt_count: 3 }, begun, now)).toEqual(fresh(3));
    expect(waitOf({ attempt_count: 2, run_since: '2026-11-14T00:00:00.000Z' }, begun, now)).toEqual(fresh(2));
  });

  test('is too long after a day', () => {
    expect(isTooLong(begun, now)).toBe(true);
    expect(isTooLong({ ...begun, since: '2026-11-13T12:00:00.000Z' }, now)).toBe(false);
  });
});
