import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Announcement } from '#schemas/families/announcements.ts';
import type { Answer } from '#test/e2e/kit/client.ts';
import { expectError, expectInvalid } from '#test/e2e/kit/errors.ts';
import { accepted, type Fields, type Merchant, newMerchant } from '#test/e2e/kit/orders.ts';

let shop: Merchant;
beforeAll(async () => {
  shop = await newMerchant();
});

const create = (body: Fields) => shop.call('POST', '/announcements', { body });
const update = (uuid: string, body: Fields) => shop.call('PATCH', `/announcements/${uuid}`, { body });
const remove = (uuid: string) => shop.call('DELETE', `/announcements/${uuid}`);
const search = async (query: Record<string, string>): Promise<Announcement[]> =>
  accepted(await shop.call('GET', '/announcements', { query }));

/** The answer is 200 without a body. */
const expectEmpty = ({ status, text }: Answer) => expect({ status, text }).toEqual({ status: 200, text: '' });

async function made(language = 'en'): Promise<Announcement> {
  const text = `Closed on ${randomUUID()}`;
  expectEmpty(await create({ text, language }));
  const [announcement] = await search({ text });
  return announcement!;
}

describe('an announcement', () => {
  test('is found by its uuid, its text and its language', async () => {
    const announcement = await made('fr');
    const { uuid, text } = announcement;
    expect(announcement).toEqual({
      uuid: expect.any(String),
      text: expect.any(String),
      language: 'fr',
      created_at: expect.any(String),
      updated_at: announcement.created_at,
    });
    expect(await search({ uuid })).toEqual([announcement]);
    expect(await search({ uuid, text, language: 'fr' })).toEqual([announcement]);
    expect(await search({ uuid, language: 'de' })).toEqual([]);
    expect(await search({ language: 'fr' })).toContainEqual(announcement);
  });

  test('changes only the fields that an update names', async () => {
    const { uuid, text } = await made();
    expectEmpty(await update(uuid, { language: 'de' }));
    expect(await search({ uuid })).toMatchObject([{ text, language: 'de' }]);
    expectEmpty(await update(uuid, { text: `${text}!` }));
    expect(await search({ uuid })).toMatchObject([{ text: `${text}!`, language: 'de' }]);
  });

  test('can exist once in each language', async () => {
    const { uuid, text } = await made('en');
    expectError(await create({ text, language: 'en' }), 409, 'announcement_exists');
    expectEmpty(await create({ text, language: 'de' }));
    expectError(await update(uuid, { language: 'de' }), 409, 'announcement_exists');
    expectEmpty(await remove(uuid));
    expectEmpty(await create({ text, language: 'en' }));
  });

  test('is created once by twenty requests at once', async () => {
    const body = { text: randomUUID(), language: 'en' };
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(body)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(19).fill(409)]);
  });

  test('cannot be changed or deleted when it does not exist', async () => {
    expectError(await update(randomUUID(), {}), 404, 'announcement_not_found');
    expectError(await remove(randomUUID()), 404, 'announcement_not_found');
  });

  test('is refused with all its faults', async () => {
    expectInvalid(await create({}), ['body.text', 'missing'], ['body.language', 'missing']);
    expectInvalid(
      await create({ text: '', language: 'xx' }),
      ['body.text', 'value_error'],
      ['body.language', 'value_error'],
    );
    expectInvalid(await update(randomUUID(), { text: null }), ['body.text', 'type_error']);
  });
});
