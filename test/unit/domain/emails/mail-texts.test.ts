import { describe, expect, test } from 'vitest';
import { loadMailTexts, type MailTexts } from '#domain/emails/texts/mail-texts.ts';
import { loadPageTexts } from '#domain/tracking-page/texts/page-texts.ts';
import { type Language, languages } from '#schemas/catalogues/enumerations.ts';

type Entry = [place: string, text: string];

const entriesIn = (value: string | object, place = ''): Entry[] =>
  typeof value === 'string'
    ? [[place, value]]
    : Object.entries(value).flatMap(([name, inner]) => entriesIn(inner, place ? `${place}.${name}` : name));

const entriesOf = ({ language: _, register: __, ...texts }: MailTexts) => entriesIn(texts);
const placeholdersIn = (text: string) => (text.match(/\{\w*\}/g) ?? []).sort();
const withoutPlaceholders = (text: string) => text.replace(/\{\w*\}/g, '');

const english = await loadMailTexts('en');
const inEnglish = new Map(entriesOf(english));

/** What these languages write in another way. */
const wrongMarks: Partial<Record<Language, RegExp>> = { fr: /[^\u00a0][:;?%]/, gr: /\?/ };

/** Characters that fit in their place on a screen of 320 pixels. */
const longest: [place: RegExp, length: number][] = [
  [/^buttons\./, 28],
  [/^labels\.|^withdrawal\.(name|time|deadline|statement)$|^footer\.end$/, 40],
  [/^claims\.|^withdrawal\.title$/, 62],
];

describe.each(languages)('the mail texts of %s', async (language) => {
  const texts = await loadMailTexts(language);
  const broken = (isBroken: (text: string, place: string) => boolean) =>
    entriesOf(texts).filter(([place, text]) => isBroken(text, place));

  test('have their language, and the register of the page texts', async () => {
    expect(texts.language).toBe(language);
    expect(texts.register).toBe((await loadPageTexts(language)).register);
  });

  test('have every text that English has and no others, with the same placeholders', () => {
    expect(entriesOf(texts).map(([place]) => place)).toEqual([...inEnglish.keys()]);
    for (const [place, text] of entriesOf(texts)) {
      expect(placeholdersIn(text), place).toEqual(placeholdersIn(inEnglish.get(place)!));
    }
  });

  test('have no empty, padded or unfinished text, no markup and no exclamation mark', () => {
    expect(broken((text) => text === '' || text !== text.trim() || /\s{2}/.test(text))).toEqual([]);
    expect(broken((text) => /[!<>&_[\]$]|TODO|TBD/.test(withoutPlaceholders(text)))).toEqual([]);
  });

  test('use the apostrophe and the quotation marks of print, and the punctuation of their language', () => {
    expect(broken((text) => /['"`´]/.test(text))).toEqual([]);
    expect(broken((text) => wrongMarks[language]?.test(text) ?? false)).toEqual([]);
  });

  test('end sentences with a mark, and subjects, labels and buttons without one', () => {
    const isSentence = /^withdrawal\.(keep|declared)$|^footer\.(order|claim|withdrawal)$/;
    expect(broken((text, place) => isSentence.test(place) !== /[.:]$/.test(text))).toEqual([]);
  });

  test('keep to the lengths of their places', () => {
    for (const [places, length] of longest) {
      expect(broken((text, place) => places.test(place) && [...text].length > length)).toEqual([]);
    }
    const words = (text: string) => withoutPlaceholders(text).match(/[\p{L}\p{M}]+/gu) ?? [];
    expect(broken((text) => words(text).some((word) => [...word].length > 24))).toEqual([]);
  });

  test('are written in their own letters', () => {
    const foreign = language === 'gr' ? /\p{Script=Latin}/u : /[\p{Script=Greek}\p{Script=Cyrillic}]/u;
    expect(broken((text) => foreign.test(withoutPlaceholders(text).replace(/e-mail/g, '')))).toEqual([]);
  });

  test.skipIf(language === 'en')('have no text that is still English', () => {
    const same = broken((text, place) => inEnglish.get(place) === text && !['Name'].includes(text));
    expect(same).toEqual([]);
  });
});
