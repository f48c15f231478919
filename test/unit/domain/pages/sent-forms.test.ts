import { expect, test } from 'vitest';
import { hashOf, judge, withoutAttempt } from '#domain/pages/sent-forms.ts';
import { pageLimits } from '#schemas/catalogues/limits.ts';

const now = new Date('2026-11-15T20:00:00Z');
const ago = (minutes: number) => now.getTime() - minutes * 60_000;
const form = { key: 'key', content: 'content' };
const sent = (count: number, at: number) =>
  Array.from({ length: count }, (_, i) => ({ key: `key-${i}`, content: 'content', at: at + i }));

test('a form that was not sent before is new', () => {
  expect(judge([], form, now)).toEqual({ sent: 'new', forms: [{ ...form, at: now.getTime() }] });
});

test('a form that was sent before is known, with the same content and with another', () => {
  const forms = [{ ...form, at: ago(5) }];
  expect(judge(forms, form, now)).toEqual({ sent: 'again' });
  expect(judge(forms, { ...form, content: 'changed' }, now)).toEqual({ sent: 'other' });
});

test('an hour takes ten forms, and then says how long to wait', () => {
  expect(judge(sent(pageLimits.claimsInAnHour - 1, ago(30)), form, now)).toHaveProperty('sent', 'new');
  expect(judge(sent(pageLimits.claimsInAnHour, ago(30)), form, now)).toEqual({ waitMs: 30 * 60_000 });
  expect(judge(sent(pageLimits.claimsInAnHour, ago(61)), form, now)).toHaveProperty('sent', 'new');
});

test('a form that was sent before is known although the hour has no room', () => {
  const forms = sent(pageLimits.claimsInAnHour, ago(30));
  expect(judge(forms, { key: 'key-3', content: 'content' }, now)).toEqual({ sent: 'again' });
});

test('an attempt counts for the hour, but does not make its form known', () => {
  const attempts = sent(pageLimits.claimsInAnHour - 1, ago(30)).map((one) => ({ ...one, attempt: one.key }));
  const again = { key: 'key-3', content: 'content' };
  expect(judge(attempts, again, now)).toHaveProperty('sent', 'new');
  const last = { ...form, attempt: 'last', at: ago(1) };
  expect(judge([...attempts, last], form, now)).toEqual({ waitMs: 30 * 60_000 });
  expect(judge(withoutAttempt([...attempts, last], 'last'), form, now)).toHaveProperty('sent', 'new');
});

test('forms are remembered for as long as their keys are valid', () => {
  const forms = [
    { key: 'old', content: '', at: ago(24 * 60 + 1) },
    { key: 'recent', content: '', at: ago(24 * 60 - 1) },
  ];
  const judged = judge(forms, form, now);
  expect('forms' in judged && judged.forms.map(({ key }) => key)).toEqual(['recent', 'key']);
});

test('a hash tells apart where a part ends', () => {
  expect(hashOf('ab', 'c')).not.toBe(hashOf('a', 'bc'));
  expect(hashOf('a', Uint8Array.of(1))).toBe(hashOf('a', Uint8Array.of(1)));
});
