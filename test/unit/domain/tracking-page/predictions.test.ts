import { describe, expect, test } from 'vitest';
import { trackingView } from '#api/pages/views/tracking-view.ts';
import { answerOf } from '#domain/tracking-page/answer.ts';
import { storyOf } from '#domain/tracking-page/story.ts';
import { type Language, languages } from '#schemas/catalogues/enumerations.ts';
import type { PageEvent, PageParcel } from '#schemas/shapes/tracking-page.ts';
import { contextIn, type Days, predictedFacts, sampleFacts } from '#test/kit/page-samples.ts';
import { elementsIn, named, parseHtml, textOf } from '#test/kit/parse-html.ts';

/** It is Monday, 16 November 2026, 14:40 in Berlin. */
const windows = {
  tomorrow: ['2026-11-17', '2026-11-17'],
  'a day': ['2026-11-19', '2026-11-19'],
  'several days': ['2026-11-18', '2026-11-20'],
  'days of two months': ['2026-11-30', '2026-12-02'],
  'days of two years': ['2026-12-30', '2027-01-02'],
  'a window that has begun': ['2026-11-16', '2026-11-19'],
  'a window of which days are over': ['2026-11-15', '2026-11-17'],
} as const satisfies Record<string, Days>;

/** In the order of the windows, with plain spaces. */
const sentences: Record<Language, string[]> = {
  cs: [
    'Nejspíš dorazí zítra',
    'Očekávané doručení: čtvrtek 19. listopadu',
    'Očekávané doručení: 18.–20. 11.',
    'Očekávané doručení: 30. 11. – 2. 12.',
    'Očekávané doručení: 30. 12. 2026 – 2. 1. 2027',
    'Očekávané doručení nejpozději: čtvrtek 19. listopadu',
    'Očekávané doručení nejpozději: zítra',
  ],
  da: [
    'Forventes i morgen',
    'Forventes torsdag 19. november',
    'Forventes 18.–20. november',
    'Forventes 30. november–2. december',
    'Forventes 30. december 2026–2. januar 2027',
    'Forventes senest torsdag 19. november',
    'Forventes senest i morgen',
  ],
  nl: [
    'Komt naar verwachting morgen',
    'Komt naar verwachting op donderdag 19 november',
    'Naar verwachting 18–20 november',
    'Naar verwachting 30 november – 2 december',
    'Naar verwachting 30 december 2026 – 2 januari 2027',
    'Komt naar verwachting uiterlijk donderdag 19 november',
    'Komt naar verwachting uiterlijk morgen',
  ],
  en: [
    'Expected tomorrow',
    'Expected on Thursday 19 November',
    'Expected 18 – 20 November',
    'Expected 30 November – 2 December',
    'Expected 30 December 2026 – 2 January 2027',
    'Expected by Thursday 19 November',
    'Expected by tomorrow',
  ],
  fi: [
    'Saapuu arviolta huomenna',
    'Arvioitu saapuminen: torstai 19. marraskuuta',
    'Saapuu arviolta 18.–20. marraskuuta',
    'Saapuu arviolta 30. marraskuuta – 2. joulukuuta',
    'Saapuu arviolta 30. joulukuuta 2026 – 2. tammikuuta 2027',
    'Saapuu arviolta viimeistään: torstai 19. marraskuuta',
    'Saapuu arviolta viimeistään: huomenna',
  ],
  fr: [
    'Arrivée prévue demain',
    'Arrivée prévue le jeudi 19 novembre',
    'Arrivée prévue : 18–20 novembre',
    'Arrivée prévue : 30 novembre – 2 décembre',
    'Arrivée prévue : 30 décembre 2026 – 2 janvier 2027',
    'Arrivée prévue d’ici jeudi 19 novembre',
    'Arrivée prévue d’ici demain',
  ],
  de: [
    'Kommt voraussichtlich morgen',
    'Kommt voraussichtlich am Donnerstag, 19. November',
    'Voraussichtlich 18.–20. November',
    'Voraussichtlich 30. November – 2. Dezember',
    'Voraussichtlich 30. Dezember 2026 – 2. Januar 2027',
    'Voraussichtlich bis Donnerstag, 19. November',
    'Voraussichtlich bis morgen',
  ],
  gr: [
    'Αναμένεται αύριο',
    'Αναμένεται Πέμπτη 19 Νοεμβρίου',
    'Αναμένεται 18–20 Νοεμβρίου',
    'Αναμένεται 30 Νοεμβρίου – 2 Δεκεμβρίου',
    'Αναμένεται 30 Δεκεμβρίου 2026 – 2 Ιανουαρίου 2027',
    'Αναμένεται έως Πέμπτη 19 Νοεμβρίου',
    'Αναμένεται έως αύριο',
  ],
  hu: [
    'Csomagja várhatóan holnap érkezik',
    'Várható érkezés: november 19., csütörtök',
    'Várható érkezés: november 18–20.',
    'Várható érkezés: november 30. – december 2.',
    'Várható érkezés: 2026. december 30. – 2027. január 2.',
    'Várhatóan legkésőbb: november 19., csütörtök',
    'Várhatóan legkésőbb: holnap',
  ],
  it: [
    'Arrivo previsto domani',
    'Arrivo previsto giovedì 19 novembre',
    'Arrivo previsto: 18–20 novembre',
    'Arrivo previsto: 30 novembre – 2 dicembre',
    'Arrivo previsto: 30 dicembre 2026 – 2 gennaio 2027',
    'Arrivo previsto entro giovedì 19 novembre',
    'Arrivo previsto entro domani',
  ],
  lv: [
    'Paredzamā piegāde: rīt',
    'Paredzamā piegāde: ceturtdiena, 19. novembris',
    'Paredzamā piegāde: 18.–20. novembris',
    'Paredzamā piegāde: 30. novembris – 2. decembris',
    'Paredzamā piegāde: 2026. gada 30. decembris – 2027. gada 2. janvāris',
    'Paredzamā piegāde ne vēlāk kā: ceturtdiena, 19. novembris',
    'Paredzamā piegāde ne vēlāk kā: rīt',
  ],
  pl: [
    'Prawdopodobnie dotrze jutro',
    'Przewidywana dostawa: czwartek, 19 listopada',
    'Prawdopodobnie 18–20 listopada',
    'Prawdopodobnie 30 listopada – 2 grudnia',
    'Prawdopodobnie 30 grudnia 2026 – 2 stycznia 2027',
    'Przewidywana dostawa najpóźniej: czwartek, 19 listopada',
    'Przewidywana dostawa najpóźniej: jutro',
  ],
  pt: [
    'Chegada prevista: amanhã',
    'Chegada prevista: quinta-feira, 19 de novembro',
    'Chegada prevista: 18–20 de novembro',
    'Chegada prevista: 30 de novembro – 2 de dezembro',
    'Chegada prevista: 30 de dezembro de 2026 – 2 de janeiro de 2027',
    'Chegada prevista até quinta-feira, 19 de novembro',
    'Chegada prevista até amanhã',
  ],
  sk: [
    'Pravdepodobne dorazí zajtra',
    'Očakávané doručenie: štvrtok 19. novembra',
    'Očakávané doručenie: 18. – 20. 11.',
    'Očakávané doručenie: 30. 11. – 2. 12.',
    'Očakávané doručenie: 30. 12. 2026 – 2. 1. 2027',
    'Očakávané doručenie najneskôr: štvrtok 19. novembra',
    'Očakávané doručenie najneskôr: zajtra',
  ],
  es: [
    'Llegada prevista: mañana',
    'Llegada prevista: jueves, 19 de noviembre',
    'Llegada prevista: 18–20 de noviembre',
    'Llegada prevista: 30 de noviembre – 2 de diciembre',
    'Llegada prevista: 30 de diciembre de 2026 – 2 de enero de 2027',
    'Llegada prevista, a más tardar: jueves, 19 de noviembre',
    'Llegada prevista, a más tardar: mañana',
  ],
  sv: [
    'Beräknas komma i morgon',
    'Beräknas komma torsdag 19 november',
    'Beräknas komma 18–20 november',
    'Beräknas komma 30 november–2 december',
    'Beräknas komma 30 december 2026–2 januari 2027',
    'Beräknas komma senast torsdag 19 november',
    'Beräknas komma senast i morgon',
  ],
};

const plain = (text: string) => text.replace(/\s/g, ' ');
const over: Days = ['2026-11-12', '2026-11-14'];

const parcelOf = async (...of: Parameters<typeof predictedFacts>): Promise<PageParcel> =>
  (await predictedFacts(...of)).parcels[0]!;

/** The lines around the sentence of a page. */
const leadOf = (page: ReturnType<typeof parseHtml>): string[] =>
  named(elementsIn(page).find(({ attributes }) => attributes.class === 'lead')!, 'p').map(textOf);

describe.each(languages)('what we expect, in %s', async (language) => {
  const context = await contextIn(language);
  const { prediction } = context.texts.arrival;

  test.each(Object.entries(windows).map(([name, days], i) => [name, days, sentences[language][i]!] as const))(
    'names %s',
    async (_, days, sentence) => {
      const answer = answerOf(await parcelOf(language, days), context);
      expect(plain(answer.sentence)).toBe(sentence);
      expect(answer).toMatchObject({ isArrival: true, isOverdue: false, note: prediction.note });
    },
  );

  test('is an estimate, and says in one line how sure it is', async () => {
    const page = parseHtml(trackingView(await predictedFacts(language, windows['several days']), context).content);
    expect(leadOf(page).filter((line) => line === prediction.note)).toHaveLength(1);
  });

  test('that is over takes longer: nobody is blamed, and no day of the past is named', async () => {
    const parcel = await parcelOf(language, over);
    const answer = answerOf(parcel, context);
    expect(answer).toMatchObject({ isArrival: false, isOverdue: true, note: null });
    expect(answer.sentence).toBe(parcel.event_strings.header_title);
    const { lines } = storyOf(parcel, false, context);
    expect(lines.at(-1)).toBe(prediction.overdue);
    expect(lines).not.toContain(context.texts.arrival.overdue);
  });

  test('that moved says so in the journey, and the latest news is still where the parcel is', async () => {
    const page = await predictedFacts(language, windows['several days'], { moved: true });
    const { list_label } = page.parcels[0]!.events[0]!.event_strings;
    const shown = parseHtml(trackingView(page, context).content);
    expect(named(shown, 'strong').map(textOf)).toContain(list_label);
    expect(named(shown, 'h1').map((title) => plain(textOf(title)))).toEqual([sentences[language][2]]);
    const latest = leadOf(shown).find((line) => line.startsWith(context.texts.timeline.latest));
    expect(latest).toMatch(/, Leipzig$/);
  });
});

describe('what we expect', async () => {
  const english = await contextIn('en');
  const sentence = async (days: Days, offset: string, at: string, events?: Partial<PageEvent>) => {
    const parcel = await parcelOf('en', days, { offset });
    const shown = { ...parcel, events: parcel.events.map((event) => ({ ...event, ...events })) };
    return answerOf(shown, { ...english, now: new Date(at) }).sentence;
  };

  test('counts the days of the recipient, wherever the parcel was scanned', async () => {
    const days: Days = ['2026-11-17', '2026-11-17'];
    // In Shanghai it is Tuesday already, in Berlin it is still Monday, and half an hour later it is Tuesday there too.
    const scan = { timezone: 'Asia/Shanghai' };
    expect(await sentence(days, '+01:00', '2026-11-16T22:30:00Z', scan)).toBe('Expected tomorrow');
    expect(await sentence(days, '+01:00', '2026-11-16T23:30:00Z', scan)).toBe('Expected today');
    // In London, whose offset is that of UTC.
    expect(await sentence(days, '+00:00', '2026-11-16T23:30:00Z', scan)).toBe('Expected tomorrow');
    expect(await sentence(days, 'Z', '2026-11-16T23:30:00Z', scan)).toBe('Expected tomorrow');
    // In Auckland it is Tuesday since noon.
    expect(await sentence(days, '+13:00', '2026-11-16T11:30:00Z')).toBe('Expected today');
  });

  test('is not over before its last day is, and then at once', async () => {
    const days: Days = ['2026-11-14', '2026-11-16'];
    expect(await sentence(days, '+01:00', '2026-11-16T22:59:00Z')).toBe('Expected today');
    expect(await sentence(days, '+01:00', '2026-11-16T23:01:00Z')).toBe('Your parcel is on its way');
  });

  test('is said by our words only if it is ours, whatever a carrier calls its own', async () => {
    const parcel = await parcelOf('en', windows['several days']);
    const answer = (change: Partial<NonNullable<PageParcel['estimated_arrival']>>) =>
      answerOf({ ...parcel, estimated_arrival: { ...parcel.estimated_arrival!, ...change } }, english);
    expect(answer({ source: null })).toMatchObject({ sentence: 'Arrives 18\u2009–\u200920 November', note: null });
    expect(answer({ source: 'Prediction' }).note).toBeNull();
    // No page fails because of what somebody wrote.
    expect(answer({ from: null }).sentence).toBe('Arrives by Friday 20 November');
    expect(answer({ to: '2026-11-18T12:00:00+01:00' }).sentence).toContain('18 November');
  });

  test('stands below a failed attempt, which is told too', async () => {
    const [parcel] = (await sampleFacts({ eventName: 'DELIVERY_ATTEMPTED_RECIPIENT_NOT_AT_HOME' })).parcels;
    const { estimated_arrival } = await parcelOf('en', windows.tomorrow);
    const shown = { ...parcel!, estimated_arrival };
    expect(answerOf(shown, english)).toMatchObject({ sentence: 'Expected tomorrow', tone: 'attention' });
    expect(storyOf(shown, false, english).exception).not.toBeNull();
  });
});
