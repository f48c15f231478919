import { describe, expect, test } from 'vitest';
import { loadTexts } from '#domain/texts/texts.ts';
import { loadPageTexts, type PageTexts, type Plural } from '#domain/tracking-page/texts/page-texts.ts';
import {
  claimReasons,
  claimStatuses,
  type Language,
  languages,
  resolutionPreferences,
} from '#schemas/catalogues/enumerations.ts';

const all = await Promise.all(languages.map(loadPageTexts));
const eventTexts = await Promise.all(languages.map(loadTexts));
const english = all[languages.indexOf('en')]!;
const others = languages.filter((language) => language !== 'en');

/** A text or the forms of a text that names a number. */
type Entry = [place: string, text: string | Plural];

const categories = ['zero', 'one', 'two', 'few', 'many', 'other'];
const isPlural = (value: object) => Object.keys(value).every((name) => categories.includes(name));

const entriesIn = (value: string | object, place = ''): Entry[] =>
  typeof value === 'string' || isPlural(value)
    ? [[place, value as string | Plural]]
    : Object.entries(value).flatMap(([name, inner]) => entriesIn(inner, place ? `${place}.${name}` : name));

const entriesOf = ({ register: _, ...texts }: PageTexts) => entriesIn(texts);
const placesOf = (texts: PageTexts) =>
  entriesOf(texts)
    .map(([place]) => place)
    .sort();

/** Every text with its place, each form of a plural for itself. */
const textsOf = (texts: PageTexts) =>
  entriesOf(texts).flatMap(([place, text]) =>
    Object.entries(formsOf(text)).map(([category, form]): [place: string, text: string] => [
      `${place}${category}`,
      form,
    ]),
  );

const formsOf = (text: string | Plural): Record<string, string> =>
  typeof text === 'string'
    ? { '': text }
    : Object.fromEntries(Object.entries(text).map(([category, form]) => [`.${category}`, form]));

const broken = (texts: PageTexts, isBroken: (text: string, place: string) => boolean) =>
  textsOf(texts)
    .filter(([place, text]) => isBroken(text, place))
    .map(([place, text]) => `${place}: ${text}`);

const placeholdersIn = (text: string) => (text.match(/\{\w*\}/g) ?? []).sort();
const withoutPlaceholders = (text: string) => text.replace(/\{\w*\}/g, '');

/** The plural categories that whole numbers have in a language. */
function categoriesOf(language: Language): string[] {
  const rules = new Intl.PluralRules({ gr: 'el', pt: 'pt-PT' }[language as string] ?? language);
  const numbers = [...Array(201).keys(), 1_000, 1_000_000];
  return [...new Set(numbers.map((number) => rules.select(number)))].sort();
}

/** Characters, as a reader counts them, that fit in their place on a screen of 320 pixels. */
const longest: [place: RegExp, length: number][] = [
  [/^progress\.steps\./, 22],
  [/^actions\.|^claim_form\.send$|^lookup\.find$|^offers\.open$/, 28],
  [/^claims\.statuses\./, 22],
  [/^next\.(happened|next|you_can)$|^pickup\.(title|planned|neighbour|hours)$|^links\./, 26],
  [/^(timeline|products|details|claims|announcements|lookup|claim_form)\.title$/, 28],
  [/^(timeline|products)\.(more|earlier)\./, 38],
  [/^next\.situations\./, 185],
  [/^arrival\.prediction\.note$/, 110],
];

const isSentence =
  /^(next\.situations|claims\.next|faults|errors\.\w+\.(text|next)|.+_help$|.+\.intro$|arrival\.(?:prediction\.)?(?:overdue|note)$)/;
const isLabel = /^(progress|actions|links|reasons|resolutions|claims\.statuses|errors\.\w+\.title|.+\.title$)/;

/** What these languages write in another way. */
const wrongMarks: Partial<Record<Language, RegExp>> = {
  es: /^[^¿]*\?/,
  fr: /[^\u00a0][:;?%]/,
  gr: /\?/,
};

describe.each(languages.map((language, i) => [language, all[i]!] as const))(
  'the page texts of %s',
  (language, texts) => {
    test('have their language, and the register of the event texts', () => {
      expect(texts.language).toBe(language);
      expect(texts.register).toBe(eventTexts[languages.indexOf(language)]!.register);
    });

    test('have every text that English has and no others', () => {
      expect(placesOf(texts)).toEqual(placesOf(english));
    });

    test('have the placeholders of the English text, in every plural form', () => {
      const inEnglish = new Map(
        entriesOf(english).map(([place, text]) => [
          place,
          placeholdersIn(typeof text === 'string' ? text : text.other!),
        ]),
      );
      for (const [place, text] of entriesOf(texts)) {
        for (const form of Object.values(formsOf(text))) {
          expect(placeholdersIn(form), `${place}: ${form}`).toEqual(inEnglish.get(place));
        }
      }
    });

    test('have exactly the plural forms that whole numbers need', () => {
      const plurals = entriesOf(texts).filter(([, text]) => typeof text !== 'string');
      expect(plurals.length).toBeGreaterThan(3);
      for (const [place, forms] of plurals) expect(Object.keys(forms).sort(), place).toEqual(categoriesOf(language));
    });

    test('have no empty, padded or unfinished text, no markup and no exclamation mark', () => {
      expect(broken(texts, (text) => text === '' || text !== text.trim() || /\s{2}/.test(text))).toEqual([]);
      expect(broken(texts, (text) => /[!<>&_[\]$]|TODO|TBD|XXX|[Ll]orem/.test(withoutPlaceholders(text)))).toEqual([]);
    });

    test('use the apostrophe and the quotation marks of print', () => {
      expect(broken(texts, (text) => /['"`´]/.test(text))).toEqual([]);
    });

    test('end sentences with a mark, and labels without one', () => {
      expect(broken(texts, (text, place) => isSentence.test(place) && !/[.:?]$/.test(text))).toEqual([]);
      expect(broken(texts, (text, place) => isLabel.test(place) && /[.:]$/.test(text))).toEqual([]);
    });

    test('keep to the lengths of their places', () => {
      for (const [places, length] of longest) {
        expect(textsOf(texts).filter(([place]) => places.test(place)).length, String(places)).toBeGreaterThan(0);
        expect(broken(texts, (text, place) => places.test(place) && [...text].length > length)).toEqual([]);
      }
    });

    test('have no word that is too long for a small screen', () => {
      const words = (text: string) => text.match(/[\p{L}\p{M}]+/gu) ?? [];
      expect(broken(texts, (text) => words(text).some((word) => [...word].length > 24))).toEqual([]);
    });

    test('are written in their own letters', () => {
      const international = /JPEG|PNG|GIF|WebP|SMS|e-mail|MB|\bM\b/gi;
      const foreign = language === 'gr' ? /\p{Script=Latin}/u : /[\p{Script=Greek}\p{Script=Cyrillic}]/u;
      const isForeign = (text: string, place: string) =>
        place !== 'language' && foreign.test(withoutPlaceholders(text).replace(international, ''));
      expect(broken(texts, isForeign)).toEqual([]);
    });

    test('follow the punctuation of their language', () => {
      expect(broken(texts, (text) => wrongMarks[language]?.test(text) ?? false)).toEqual([]);
    });

    test('name every reason, status and preference of a claim', () => {
      expect(Object.keys(texts.reasons).sort()).toEqual([...claimReasons].sort());
      expect(Object.keys(texts.claims.statuses).sort()).toEqual([...claimStatuses].sort());
      expect(Object.keys(texts.claims.next).sort()).toEqual([...claimStatuses].sort());
      expect(Object.keys(texts.resolutions).sort()).toEqual([...resolutionPreferences].sort());
    });
  },
);

test.each(others)('the page texts of %s have no text that is still English', (language) => {
  const inEnglish = new Map(textsOf(english));
  const hasWords = (text: string) => /\p{L}/u.test(withoutPlaceholders(text));
  expect(
    broken(all[languages.indexOf(language)]!, (text, place) => hasWords(text) && inEnglish.get(place) === text),
  ).toEqual([]);
});
