import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { faultWords, isStillWrong } from '#lib/console/texts/fault-words.ts';
import { toFieldErrors } from '#platform/http/validation.ts';
import { errorKeys } from '#schemas/catalogues/errors.ts';
import { linkFaults } from '#schemas/catalogues/links.ts';

const textsOf = (language: string) => JSON.parse(readFileSync(`lib/console/texts/${language}.json`, 'utf8')).errors;

/** How the service begins a sentence about a field: it is read after the name of the field. */
const beginning =
  /^(must|is|are|was|cannot|may|already|has|have|matches|names|does|needs|belongs|leads|appears|comes|exceeds|contains) /;

/** What a piece of code says about fields, with a number for what is filled in. */
const sentencesIn = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/'((?:[^'\\\n]|\\.)+)'|`((?:[^`\\]|\\.)+)`/g)]
    .map(
      ([, text, template]) =>
        text ?? template!.replace('${noun} ${uuid}', `campaign ${crypto.randomUUID()}`).replace(/\$\{[^}]*\}/g, '7'),
    )
    .filter((text) => beginning.test(text));

const fault = (keyword: string, params: Record<string, unknown>) =>
  toFieldErrors('body', [{ instancePath: '/name', keyword, params } as never])[0]!.msg;

/** What the shape of a request can be refused for. */
const ofShapes = [
  ...['string', 'integer', 'number', 'boolean', 'object', 'array'].flatMap((type) => [
    fault('type', { type }),
    fault('type', { type: [type, 'null'] }),
  ]),
  fault('enum', { allowedValues: ['a', 'b'] }),
  fault('const', { allowedValue: true }),
  ...['date-time', 'date', 'email', 'uuid', 'uri'].map((format) => fault('format', { format })),
  ...Object.values(linkFaults),
  fault('pattern', { pattern: '^x$' }),
  ...['minLength', 'minItems', 'minimum'].flatMap((keyword) => [1, 2].map((limit) => fault(keyword, { limit }))),
  ...['maxLength', 'maxItems', 'maxProperties', 'maxUnknownBytes', 'maximum', 'depth'].map((keyword) =>
    fault(keyword, { limit: 2 }),
  ),
  ...['file', 'wellFormed', 'required', 'unknown'].map((keyword) => fault(keyword, { missingProperty: 'name' })),
];

describe('an error of the service', () => {
  test('has words of the console in every language, by its key', () => {
    for (const language of ['en', 'de'])
      expect(Object.keys(textsOf(language).keys).sort()).toEqual([...errorKeys].sort());
  });

  test('about a field has words of the console, whatever rule the field breaks', () => {
    const files = globSync('functions/**/*.ts').filter((file) => !/domain\/texts|http\/validation/.test(file));
    const sentences = [...new Set([...ofShapes, ...files.flatMap(sentencesIn)])];
    expect(sentences.length).toBeGreaterThan(80);
    const isKnown = (sentence: string) => faultWords(sentence).name !== 'wrong' || sentence === 'is not valid';
    expect(sentences.filter((sentence) => !isKnown(sentence))).toEqual([]);
  });

  test('about a segment names the campaign or test that is in the way', () => {
    const uuid = crypto.randomUUID();
    expect(faultWords(`Taken. It is the campaign ${uuid}: Sale: all`)).toEqual({
      name: 'takenByCampaign',
      values: { uuid, name: 'Sale: all' },
    });
    expect(faultWords(`Taken. It is the A/B test ${uuid}: B`).name).toBe('takenByTest');
  });

  test('about a field fills its figures into the text', () => {
    for (const language of ['en', 'de']) {
      for (const sentence of ofShapes) {
        const { name, values } = faultWords(sentence);
        const wanted = [...textsOf(language).faults[name].matchAll(/\{(\w+)\}/g)].map(([, one]) => one!);
        expect([sentence, ...wanted.filter((one) => values[one] === undefined)]).toEqual([sentence]);
      }
    }
    expect(faultWords('must have at most 255 characters')).toEqual({ name: 'tooLong', values: { count: '255' } });
  });

  test.each([
    ['is required', '', 'Anna'],
    ['must have at least 1 character', ' ', 'A'],
    ['must have at least 16 characters', 'short', 'long enough to be one'],
    ['must have at most 3 characters', 'four', 'two'],
    ['must be 1 or more', '0', '1'],
    ['must be 100 or less', '101', '100'],
    ['must be a whole number', 'x', '3'],
    ['must be an absolute URL, such as https://example.com/path', 'example', 'https://example.com'],
  ])('%s goes when the field is right, and not before', (sentence, wrong, right) => {
    expect(isStillWrong(faultWords(sentence), wrong)).toBe(true);
    expect(isStillWrong(faultWords(sentence), right)).toBe(false);
  });

  test('about an end goes when it lies after the start', () => {
    const words = faultWords('must be after start_date');
    expect(isStillWrong(words, '2026-11-01T00:00:00Z', '2026-11-02T00:00:00Z')).toBe(true);
    expect(isStillWrong(words, '2026-11-03T00:00:00Z', '2026-11-02T00:00:00Z')).toBe(false);
    expect(isStillWrong(words, '', '2026-11-02T00:00:00Z')).toBe(false);
  });
});
