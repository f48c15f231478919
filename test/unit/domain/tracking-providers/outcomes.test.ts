import { describe, expect, test } from 'vitest';
import { outcomeOfStatus } from '#domain/tracking-providers/outcomes.ts';

const received_at = new Date('2026-11-14T12:00:00.000Z');
const busy = (retryAfter: string) =>
  outcomeOfStatus({ status: 429, body: '', headers: { 'retry-after': retryAfter }, received_at });

describe('a provider that asks to wait', () => {
  test.each([
    ['120', 120],
    ['Sat, 14 Nov 2026 12:10:00 GMT', 600],
    ['9999999', 9_999_999],
  ])('may name seconds or a date: %s', (header, afterSeconds) => {
    expect(busy(header)).toMatchObject({ status: 'again', afterSeconds });
  });

  test.each(['', 'soon', '-5', 'Sat, 14 Nov 2026 11:00:00 GMT'])('for no time has no say: %j', (header) => {
    expect(busy(header)).not.toHaveProperty('afterSeconds');
  });
});
