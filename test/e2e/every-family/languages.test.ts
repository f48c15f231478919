import { beforeAll, describe, expect, test } from 'vitest';
import { languages } from '#schemas/catalogues/enumerations.ts';
import { api, keyFor, newShop, newSlug } from '#test/e2e/kit/shared-stack.ts';

const slug = newSlug();
let key: Awaited<ReturnType<typeof keyFor>>;

beforeAll(async () => {
  await newShop({ slug, name: 'Polski sklep', language: 'pl' });
  key = await keyFor(slug, 'editor');
  const trackings = [{ tracking_number: 'LANGUAGES-1' }];
  await api('PUT', `/v1/shops/${slug}/orders`, { key, body: { id: '1', order: {}, trackings } });
  const event = { id: 'LANGUAGES-1', event_name: 'SUCCESSFULLY_DELIVERED' };
  await api('POST', `/v1/shops/${slug}/shipment-events`, { key, body: event });
});

async function readIn(acceptLanguage: string | undefined) {
  const headers = acceptLanguage === undefined ? {} : { 'Accept-Language': acceptLanguage };
  const { status, headers: answered, body } = await api('GET', `/v1/shops/${slug}/orders`, { key, headers });
  const event = body[0].trackings[0].events.at(-1);
  return { status, contentLanguage: answered.get('content-language'), vary: answered.get('vary'), event };
}

describe('the same order', () => {
  test('is shown in sixteen languages, each in its own words', async () => {
    const answers = await Promise.all(languages.map(readIn));
    for (const [i, { status, contentLanguage, vary, event }] of answers.entries()) {
      expect([status, contentLanguage, event.language]).toEqual([200, languages[i], languages[i]]);
      expect(vary).toContain('Accept-Language');
      expect(Object.keys(event.event_strings).sort()).toEqual([
        'event_status',
        'header_headline',
        'header_subtitle',
        'header_title',
        'list_label',
      ]);
    }
    expect(new Set(answers.map(({ event }) => event.event_strings.event_status)).size).toBe(languages.length);
  });

  test.each([
    ['de-AT', 'de'],
    ['DE', 'de'],
    ['el', 'gr'],
    ['el-GR,el;q=0.9', 'gr'],
    ['ja,fr;q=0.5,it;q=0.7', 'it'],
    ['*', 'pl'],
    ['xx, *;q=0.5', 'pl'],
    ['ja', 'pl'],
    [undefined, 'pl'],
    [';;q=,,,', 'pl'],
    ['x'.repeat(5000), 'pl'],
  ])('is shown to Accept-Language %j in %s', async (header, language) => {
    const { status, contentLanguage } = await readIn(header);
    expect([status, contentLanguage]).toEqual([200, language]);
  });
});

test('an error is marked as English', async () => {
  const { status, headers } = await api('GET', `/v1/shops/${slug}/orders?page=0`, {
    key,
    headers: { 'Accept-Language': 'de' },
  });
  expect([status, headers.get('content-language')]).toEqual([422, 'en']);
});
