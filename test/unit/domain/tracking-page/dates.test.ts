import { describe, expect, test } from 'vitest';
import { unbroken } from '#api/pages/views/layout.ts';
import { arrivalAnswer, counted, countryName, dayTitle, momentOf, weekdayName } from '#domain/tracking-page/dates.ts';
import type { PageParcel } from '#schemas/shapes/tracking-page.ts';
import { contextIn, sampleFacts } from '#test/kit/page-samples.ts';

// It is Monday, 16 November 2026, 14:40 in Berlin.
const english = await contextIn('en');
const parcel = (await sampleFacts()).parcels[0]!;
const event = parcel.events[0]!;

function arrival(from: string | null, to: string | null, more: Partial<PageParcel> = {}) {
  const estimated_arrival = { from, to, time_prediction: null, language: 'en' as const, source: null };
  return arrivalAnswer({ ...parcel, estimated_arrival, ...more }, english);
}

describe('the sentence about the arrival', () => {
  test.each([
    ['a window today', '2026-11-16T15:00:00+01:00', '2026-11-16T17:00:00+01:00', 'Arrives today, 15:00–17:00'],
    ['a window tomorrow', '2026-11-17T10:00:00+01:00', '2026-11-17T12:00:00+01:00', 'Arrives tomorrow, 10:00–12:00'],
    ['a day this week', '2026-11-19T00:00:00Z', '2026-11-19T23:59:00Z', 'Arrives on Thursday 19 November'],
    ['a day of next year', '2027-01-04T00:00:00Z', '2027-01-04T23:59:00Z', 'Arrives on Monday, 4 January 2027'],
    ['several days', '2026-11-18T00:00:00Z', '2026-11-20T23:59:00Z', 'Arrives 18\u2009–\u200920 November'],
    ['days of which some are over', '2026-11-14T00:00:00Z', '2026-11-17T23:59:00Z', 'Arrives by tomorrow'],
    ['only the end', null, '2026-11-17T18:00:00+01:00', 'Arrives by tomorrow, 18:00'],
    ['only the beginning', '2026-11-18T00:00:00Z', null, 'Arrives from Wednesday 18 November'],
    ['a moment', '2026-11-17T10:00:00+01:00', '2026-11-17T10:00:00+01:00', 'Arrives tomorrow, 10:00'],
    ['a window that began', '2026-11-16T13:00:00+01:00', '2026-11-16T17:00:00+01:00', 'Arrives today, 13:00–17:00'],
    ['times in UTC', '2026-11-17T10:00:00Z', '2026-11-17T12:00:00Z', 'Arrives tomorrow, 11:00–13:00 CET'],
  ])('names %s', (_, from, to, sentence) => {
    expect(arrival(from, to)).toEqual({ sentence, isOverdue: false });
  });

  test('says nothing if the time is over, and that it is', () => {
    expect(arrival('2026-11-16T10:00:00+01:00', '2026-11-16T12:00:00+01:00')).toEqual({ isOverdue: true });
    expect(arrival('2026-11-15T00:00:00Z', '2026-11-15T23:59:00Z')).toEqual({ isOverdue: true });
  });

  test('says nothing if nothing is known', () => {
    expect(arrival(null, null)).toEqual({ isOverdue: false });
    expect(arrivalAnswer({ ...parcel, estimated_arrival: null }, english)).toEqual({ isOverdue: false });
    expect(arrival('2026-11-15T00:00:00Z', null)).toEqual({ isOverdue: false });
  });

  test('counts the days of the recipient if the carrier writes the local time, wherever the parcel was scanned', () => {
    const events = [{ ...event, timezone: 'Pacific/Auckland' }];
    const { sentence } = arrival('2026-11-17T10:00:00+01:00', '2026-11-17T12:00:00+01:00', { events });
    expect(sentence).toBe('Arrives tomorrow, 10:00–12:00');
  });

  test('counts the days where the parcel is: in Auckland it is Tuesday already', () => {
    const events = [{ ...event, timezone: 'Pacific/Auckland' }];
    expect(arrival('2026-11-17T00:00:00Z', '2026-11-17T23:59:00Z', { events }).sentence).toBe('Arrives today');
  });
});

test('an event has the day and the time of its place', () => {
  const at = (timezone: string | null) => momentOf({ ...event, time: '2026-11-16T23:30:00Z', timezone }, english);
  expect(at('Europe/Berlin')).toEqual({ day: '2026-11-17', clock: '00:30' });
  expect(at('America/New_York')).toEqual({ day: '2026-11-16', clock: '18:30' });
  expect(at(null)).toEqual({ day: '2026-11-16', clock: '23:30 UTC' });
  expect(at('Nowhere/At all')).toEqual({ day: '2026-11-16', clock: '23:30 UTC' });
});

test('the days beside today have their own words in each language', () => {
  const titles = (['en', 'de', 'gr', 'hu', 'lv'] as const).map((language) =>
    dayTitle('2026-11-17', '2026-11-16', language),
  );
  expect(titles).toEqual(['Tomorrow', 'Morgen', 'Αύριο', 'Holnap', 'Rīt']);
  expect(dayTitle('2026-11-12', '2026-11-16', 'de')).toBe('Donnerstag, 12. November');
});

test('the days of opening hours are in the language of the page, from Monday on', () => {
  expect(weekdayName('monday', { language: 'de' })).toEqual({ name: 'Montag', rank: 0 });
  expect(weekdayName('Sun', { language: 'fr' })).toEqual({ name: 'Dimanche', rank: 6 });
  expect(weekdayName('Mo–Fr', { language: 'de' })).toEqual({ name: 'Mo–Fr', rank: 7 });
});

test('a country has its name, and what is no country has none', () => {
  expect(countryName('de', { language: 'hu' })).toBe('Németország');
  expect([countryName('D', english), countryName(null, english), countryName('DEU', english)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('a number takes the form that its language has for it', () => {
  const forms = { one: 'den', few: 'dny', other: 'dní' };
  expect([1, 3, 5].map((count) => counted(forms, count, { language: 'cs' }))).toEqual(['den', 'dny', 'dní']);
});

test.each([
  ['Arrives 18\u2009–\u200919 November', 'Arrives <span class="range">18\u202f–\u200919\u00a0November</span>'],
  ['Ankunft: 18.–19. November', 'Ankunft: <span class="range">18.–19.\u00a0November</span>'],
  ['Doručení: 18.–20. 11.', 'Doručení: <span class="range">18.–20.</span>\u00a011.'],
  ['Arrives today, 15:00–17:00', 'Arrives today, <span class="range">15:00–17:00</span>'],
  ['Arrives 30 November\u2009–\u20092 December', 'Arrives 30\u00a0November\u202f–\u20092\u00a0December'],
  [
    'Expected 30 December 2026\u2009–\u20092 January 2027',
    'Expected 30\u00a0December 2026\u202f–\u20092\u00a0January 2027',
  ],
  ['Várható érkezés: november 18–20.', 'Várható érkezés: november\u00a0<span class="range">18–20.</span>'],
  [
    'Érkezés: 2026. december 30.\u2009–\u20092027. január 2.',
    'Érkezés: 2026.\u00a0december\u00a030.\u202f–\u20092027.\u00a0január\u00a02.',
  ],
  ['Arrives on Thursday 19 November', 'Arrives on Thursday 19\u00a0November'],
  ['Arrived – <3', 'Arrived\u00a0– &lt;3'],
])('no line ends inside the range or the date of “%s”', (sentence, shown) => {
  expect(unbroken(sentence).text).toBe(shown);
});
