import { describe, expect, test } from 'vitest';
import { arrivalText } from '#domain/orders/arrival.ts';
import type { ShipmentEvent } from '#domain/orders/model.ts';
import { loadTexts } from '#domain/texts/texts.ts';
import { type Language, languages } from '#schemas/catalogues/enumerations.ts';

const textsOf = Object.fromEntries(
  await Promise.all(languages.map(async (language) => [language, await loadTexts(language)] as const)),
) as Record<Language, Awaited<ReturnType<typeof loadTexts>>>;

interface Given {
  start?: string | null;
  end?: string | null;
  language?: Language;
  events?: ShipmentEvent[];
}

/** With plain spaces: languages have narrow and unbreakable ones. */
function prediction({ language = 'en', events = [], ...expected_delivery }: Given): string | null {
  const text = arrivalText({ expected_delivery, events }, language, textsOf[language]);
  return text?.replace(/\s/g, ' ') ?? null;
}

const scan = (hour: number, fields: Partial<ShipmentEvent>): ShipmentEvent => ({
  event_name: 'SHIPMENT_EN_ROUTE',
  time: `2026-11-04T0${hour}:00:00.000Z`,
  ...fields,
});

const start = '2026-11-05T09:30:00+01:00';
const end = '2026-11-05T14:00:00+01:00';

/** What `Intl` makes of it, and the words around a single time. */
const expected: Record<Language, Record<'oneDay' | 'overMidnight' | 'from' | 'by' | 'days', string>> = {
  cs: {
    oneDay: '5. listopadu 2026 9:30–14:00',
    overMidnight: '5. listopadu 2026 v 22:00 – 6. listopadu 2026 v 0:30',
    from: 'nejdříve 5. listopadu 2026 v 9:30',
    by: 'nejpozději 5. listopadu 2026 v 14:00',
    days: '5. 11. – 7. 12. 2026',
  },
  da: {
    oneDay: '5. november 2026 09.30–14.00',
    overMidnight: '5. november 2026 kl. 22.00-6. november 2026 kl. 00.30',
    from: 'tidligst den 5. november 2026 kl. 09.30',
    by: 'senest den 5. november 2026 kl. 14.00',
    days: '5. november–7. december 2026',
  },
  de: {
    oneDay: '5. November 2026, 09:30–14:00 Uhr',
    overMidnight: '5. November 2026 um 22:00 – 6. November 2026 um 00:30',
    from: 'frühestens am 5. November 2026 um 09:30',
    by: 'spätestens am 5. November 2026 um 14:00',
    days: '5. November – 7. Dezember 2026',
  },
  en: {
    oneDay: '5 November 2026, 09:30–14:00',
    overMidnight: '5 November 2026 at 22:00 – 6 November 2026 at 00:30',
    from: 'from 5 November 2026 at 09:30',
    by: 'by 5 November 2026 at 14:00',
    days: '5 November – 7 December 2026',
  },
  es: {
    oneDay: '5 de noviembre de 2026, 9:30–14:00',
    overMidnight: '5 de noviembre de 2026 a las 22:00 – 6 de noviembre de 2026 a las 0:30',
    from: 'a partir del 5 de noviembre de 2026 a las 9:30',
    by: 'a más tardar el 5 de noviembre de 2026 a las 14:00',
    days: '5 de noviembre – 7 de diciembre de 2026',
  },
  fi: {
    oneDay: '5. marraskuuta 2026 9.30–14.00',
    overMidnight: '5. marraskuuta 2026 klo 22.00–6. marraskuuta 2026 klo 0.30',
    from: 'aikaisintaan 5. marraskuuta 2026 klo 9.30',
    by: 'viimeistään 5. marraskuuta 2026 klo 14.00',
    days: '5. marraskuuta – 7. joulukuuta 2026',
  },
  fr: {
    oneDay: '5 novembre 2026, 09:30 – 14:00',
    overMidnight: '5 novembre 2026 à 22:00 – 6 novembre 2026 à 00:30',
    from: 'à partir du 5 novembre 2026 à 09:30',
    by: 'au plus tard le 5 novembre 2026 à 14:00',
    days: '5 novembre – 7 décembre 2026',
  },
  gr: {
    oneDay: '5 Νοεμβρίου 2026, 9:30 π.μ. – 2:00 μ.μ.',
    overMidnight: '5 Νοεμβρίου 2026 στις 10:00 μ.μ. - 6 Νοεμβρίου 2026 στις 12:30 π.μ.',
    from: 'από 5 Νοεμβρίου 2026 στις 9:30 π.μ.',
    by: 'έως 5 Νοεμβρίου 2026 στις 2:00 μ.μ.',
    days: '5 Νοεμβρίου – 7 Δεκεμβρίου 2026',
  },
  hu: {
    oneDay: '2026. november 5. 9:30–14:00',
    overMidnight: '2026. november 5. 22:00 – 2026. november 6. 0:30',
    from: 'legkorábban 2026. november 5. 9:30',
    by: 'legkésőbb 2026. november 5. 14:00',
    days: '2026. november 5. – december 7.',
  },
  it: {
    oneDay: '5 novembre 2026, 09:30–14:00',
    overMidnight: '5 novembre 2026 alle ore 22:00 – 6 novembre 2026 alle ore 00:30',
    from: 'al più presto: 5 novembre 2026 alle ore 09:30',
    by: 'al più tardi: 5 novembre 2026 alle ore 14:00',
    days: '05 novembre – 07 dicembre 2026',
  },
  lv: {
    oneDay: '2026. gada 5. novembris 09:30–14:00',
    overMidnight: '2026. gada 5. novembris 22:00 – 2026. gada 6. novembris 00:30',
    from: 'agrākais: 2026. gada 5. novembris 09:30',
    by: 'vēlākais: 2026. gada 5. novembris 14:00',
    days: '2026. gada 5. novembris – 7. decembris',
  },
  nl: {
    oneDay: '5 november 2026, 09:30–14:00',
    overMidnight: '5 november 2026 om 22:00 – 6 november 2026 om 00:30',
    from: 'vanaf 5 november 2026 om 09:30',
    by: 'uiterlijk op 5 november 2026 om 14:00',
    days: '5 november – 7 december 2026',
  },
  pl: {
    oneDay: '5 listopada 2026, 09:30–14:00',
    overMidnight: '5 listopada 2026 22:00 – 6 listopada 2026 00:30',
    from: 'najwcześniej 5 listopada 2026 09:30',
    by: 'najpóźniej 5 listopada 2026 14:00',
    days: '5 listopada – 7 grudnia 2026',
  },
  pt: {
    oneDay: '5 de novembro de 2026, 09:30 – 14:00',
    overMidnight: '5 de novembro de 2026 às 22:00 – 6 de novembro de 2026 às 00:30',
    from: 'a partir de 5 de novembro de 2026 às 09:30',
    by: 'até 5 de novembro de 2026 às 14:00',
    days: '5 de novembro – 7 de dezembro de 2026',
  },
  sk: {
    oneDay: '5. novembra 2026, 9:30 – 14:00',
    overMidnight: '5. novembra 2026 o 22:00 – 6. novembra 2026 o 0:30',
    from: 'najskôr 5. novembra 2026 o 9:30',
    by: 'najneskôr 5. novembra 2026 o 14:00',
    days: '5. 11. – 7. 12. 2026',
  },
  sv: {
    oneDay: '5 november 2026 09:30–14:00',
    overMidnight: '5 november 2026 kl. 22:00–6 november 2026 kl. 00:30',
    from: 'tidigast den 5 november 2026 kl. 09:30',
    by: 'senast den 5 november 2026 kl. 14:00',
    days: '5 november–7 december 2026',
  },
};

describe('the text of an expected arrival', () => {
  test.each(languages)('is written by the rules of the language %s', (language) => {
    expect({
      oneDay: prediction({ start, end, language }),
      overMidnight: prediction({ start: '2026-11-05T22:00:00+01:00', end: '2026-11-06T00:30:00+01:00', language }),
      from: prediction({ start, language }),
      by: prediction({ end, language }),
      days: prediction({ start: '2026-11-05T00:00:00Z', end: '2026-12-07T23:59:59Z', language }),
    }).toEqual(expected[language]);
  });

  test.each(languages)('has one place for the time in each pattern of the language %s', (language) => {
    for (const pattern of Object.values(textsOf[language].arrival)) {
      expect(pattern.split('{time}')).toHaveLength(2);
      expect(pattern).toMatch(/\p{L}/u);
    }
    expect(textsOf[language].arrival.earliest).not.toBe(textsOf[language].arrival.latest);
  });

  test.each<[string, Given, string | null]>([
    [
      'is the day alone if the carrier knows only the day',
      { start: '2026-11-05', end: '2026-11-05' },
      '5 November 2026',
    ],
    [
      'is the day alone if the window is a whole day',
      { start: '2026-11-05T00:00:00+01:00', end: '2026-11-05T23:59:59+01:00' },
      '5 November 2026',
    ],
    ['is the last day if only that is known', { start: null, end: '2026-11-05T23:59:59Z' }, 'by 5 November 2026'],
    ['is one time if the window has no length', { start, end: start }, '5 November 2026 at 09:30'],
    ['begins with the earlier time, whichever comes first', { start: end, end: start }, '5 November 2026, 09:30–14:00'],
    [
      'keeps the times that the carrier wrote when the clocks change in between',
      { start: '2026-10-24T22:00:00+02:00', end: '2026-10-25T06:00:00+01:00' },
      '24 October 2026 at 22:00 – 25 October 2026 at 06:00',
    ],
    [
      'is in UTC if the carrier wrote only one of the times with an offset',
      { start, end: '2026-11-05T14:00:00Z' },
      '5 November 2026, 08:30–14:00 UTC',
    ],
    ['is null if no time is known', { start: null }, null],
    ['takes every form of a time', { start: '2026-11-05t09:30:60.5z' }, 'from 5 November 2026 at 09:30 UTC'],
    ['takes the offset zero for UTC', { end: '2026-11-05 14:00:00+00:00' }, 'by 5 November 2026 at 14:00 UTC'],
  ])('%s', (_, given, text) => {
    expect(prediction(given)).toBe(text);
  });
});

describe('the time zone of a window in UTC', () => {
  const window = { start: '2026-11-05T22:30:00Z', end: '2026-11-05T23:30:00Z' };

  test.each<[string, ShipmentEvent[], string]>([
    ['is UTC if no event names one', [scan(1, {})], '5 November 2026, 22:30–23:30 UTC'],
    [
      'is the one of the newest event that names one',
      [scan(1, { timezone: 'Asia/Shanghai' }), scan(2, { timezone: 'Europe/Berlin' }), scan(3, { timezone: null })],
      '5 November 2026 at 23:30 CET – 6 November 2026 at 00:30 CET',
    ],
    [
      'is the one of the place of the event if the event itself names none',
      [scan(1, { location: { city: 'Athens', timezone: 'Europe/Athens' } })],
      '6 November 2026, 00:30–01:30 EET',
    ],
    ['may be an offset', [scan(1, { timezone: '+05:30' })], '6 November 2026, 04:00–05:00 GMT+5:30'],
    [
      'is UTC if the event names one that does not exist',
      [scan(1, { timezone: 'Berlin' })],
      '5 November 2026, 22:30–23:30 UTC',
    ],
  ])('%s', (_, events, text) => {
    expect(prediction({ ...window, events })).toBe(text);
  });

  test('stays right after more zones than formats are kept', () => {
    const twoDigits = (number: number) => String(number).padStart(2, '0');
    const offsets = Array.from({ length: 450 }, (_, i) => `+${twoDigits(Math.floor(i / 60))}:${twoDigits(i % 60)}`);
    for (const timezone of offsets) prediction({ ...window, events: [scan(1, { timezone })] });
    expect(prediction({ ...window, events: [scan(1, { timezone: 'Europe/Athens' })] })).toContain('00:30–01:30 EET');
  });
});
