import { describe, expect, test } from 'vitest';
import { industries, languages, shopProviders } from '#schemas/catalogues/enumerations.ts';
import { expectError, expectInvalid } from '#test/e2e/kit/errors.ts';
import { api, keyFor, newShop, newSlug, shopOf, superAdmin } from '#test/e2e/kit/shared-stack.ts';

const uuidv7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

const shown = {
  name: 'Shop of everything',
  description: 'Sells everything',
  organization: 'Everything & Co',
  language: 'de',
  contact_phone: '+49 30 1234',
  industry: 'pet_care',
  shop_provider: 'shop_system_2',
  shop_faq_url: 'https://shop.example.com/faq',
  shop_service_url: 'https://shop.example.com/service',
};
const unshown = {
  contact_email: 'someone@example.com',
  shop_admin_url: 'https://admin.shop.example.com/api',
  shop_url: 'https://shop.example.com',
  logo_url: 'https://shop.example.com/logo.png',
};
const nullable = Object.keys({ ...shown, ...unshown }).filter((name) => name !== 'name');
const allNull = Object.fromEntries(nullable.map((name) => [name, null]));

const create = (body: object) => api('POST', '/v1/shops', { key: superAdmin, body });
const update = (slug: string, body: object) => api('PATCH', `/v1/shops/${slug}`, { key: superAdmin, body });

describe('creating a shop', () => {
  test('keeps every field, and shows all but the contact address and the URLs of the shop', async () => {
    const slug = await newShop({ ...shown, ...unshown });
    expect(await shopOf(slug)).toEqual({
      ...shown,
      slug,
      uuid: expect.stringMatching(uuidv7),
      created_at: expect.stringMatching(dateTime),
      updated_at: expect.stringMatching(dateTime),
      shop_currency: 'EUR',
    });
  });

  test('needs only a name and a slug', async () => {
    const slug = await newShop();
    expect(await shopOf(slug)).toEqual({
      name: 'A shop',
      slug,
      uuid: expect.stringMatching(uuidv7),
      created_at: expect.stringMatching(dateTime),
      updated_at: expect.stringMatching(dateTime),
      shop_currency: 'EUR',
      description: null,
      organization: null,
      language: 'en',
      contact_phone: null,
      industry: null,
      shop_provider: null,
      shop_faq_url: null,
      shop_service_url: null,
    });
  });

  test('accepts null in every field that can be null', async () => {
    const slug = await newShop({ ...allNull, settings: null });
    expect(await shopOf(slug)).toMatchObject({ language: null, industry: null, description: null });
  });

  test('accepts every language, industry and shop provider of the contract', async () => {
    const count = Math.max(languages.length, industries.length, shopProviders.length);
    for (let i = 0; i < count; i++) {
      const choice = {
        language: languages[i % languages.length],
        industry: industries[i % industries.length],
        shop_provider: shopProviders[i % shopProviders.length],
      };
      expect(await shopOf(await newShop(choice))).toMatchObject(choice);
    }
  });

  test.each([
    [{ integration_1_enabled: true, integration_7_enabled: false, carriers_enabled: true }],
    [{ carriers_enabled: true }],
    [{}],
  ])('accepts the settings %j', async (settings) => {
    await newShop({ settings });
  });

  test.each(['a', 'Z9', 'a.b_c~d-e', '0', 'x'.repeat(30)])('accepts a slug like %s', async (prefix) => {
    const slug = newSlug(prefix);
    await newShop({ slug });
    expect(await shopOf(slug)).toMatchObject({ slug });
  });

  test('accepts a slug of 100 characters', async () => {
    const slug = newSlug().padEnd(100, 'x');
    await newShop({ slug });
    expect(await shopOf(slug)).toMatchObject({ slug });
  });

  test.each(['', ' ', '-a', '.', '..', 'a b', 'a/b', 'a:b', 'a#b', 'a%20b', 'ä', 'a\n', 'x'.repeat(101)])(
    'refuses the slug %j',
    async (slug) => {
      expectInvalid(await create({ name: 'A shop', slug }), ['body.slug', 'value_error']);
    },
  );

  test.each([
    ['name', ''],
    ['name', 'x'.repeat(256)],
    ['shop_url', ''],
    ['logo_url', ''],
    ['shop_admin_url', ''],
    ['shop_url', 'shop.example.com'],
    ['shop_admin_url', 'ftp://shop.example.com'],
    ['shop_admin_url', 'https://user:pass@shop.example.com'],
  ])('refuses %s %j', async (field, value) => {
    const answer = await create({ name: 'A shop', slug: newSlug(), [field]: value });
    expectInvalid(answer, [`body.${field}`, 'value_error']);
  });

  test('refuses null for the name and the slug', async () => {
    expectInvalid(await create({ name: null, slug: null }), ['body.name', 'type_error'], ['body.slug', 'type_error']);
  });

  test('refuses a slug that is taken, and does not change the shop that has it', async () => {
    const slug = await newShop({ name: 'The first' });
    expectError(await create({ name: 'The second', slug }), 409, 'shop_exists');
    expect(await shopOf(slug)).toMatchObject({ name: 'The first' });
  });

  test('makes one shop from twenty requests at once with the same slug', async () => {
    const slug = newSlug();
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => create({ name: `Shop ${i}`, slug })));
    const lost = answers.filter(({ status }) => status === 409);
    expect(lost).toHaveLength(19);
    for (const answer of lost) expectError(answer, 409, 'shop_exists');
    const winner = answers.findIndex(({ status }) => status === 200);
    expect(await shopOf(slug)).toMatchObject({ name: `Shop ${winner}` });
  });

  test('ignores fields that only the service sets', async () => {
    const slug = await newShop({ uuid: 'mine', created_at: 'then', shop_currency: 'USD' });
    expect(await shopOf(slug)).toMatchObject({ uuid: expect.stringMatching(uuidv7), shop_currency: 'EUR' });
  });
});

describe('updating a shop', () => {
  test.each(Object.entries(shown))('sets %s and keeps every other field', async (field, value) => {
    const slug = await newShop({ name: 'Before', description: 'Before', language: 'fr' });
    const before = await shopOf(slug);
    expect(await update(slug, { [field]: value })).toMatchObject({ status: 200, body: null });
    expect(await shopOf(slug)).toEqual({ ...before, [field]: value, updated_at: expect.stringMatching(dateTime) });
  });

  test.each(Object.entries(unshown))('accepts %s, which a shop does not show', async (field, value) => {
    const slug = await newShop();
    const before = await shopOf(slug);
    expect(await update(slug, { [field]: value })).toMatchObject({ status: 200, body: null });
    expect(await shopOf(slug)).toEqual({ ...before, updated_at: expect.any(String) });
  });

  test('sets null in fields that can be null', async () => {
    const slug = await newShop({ ...shown, ...unshown });
    expect((await update(slug, allNull)).status).toBe(200);
    const { name, shop_currency, slug: same, uuid, created_at, updated_at, ...rest } = await shopOf(slug);
    expect({ name, same }).toEqual({ name: shown.name, same: slug });
    expect(Object.values(rest).every((value) => value === null)).toBe(true);
  });

  test('refuses null and an empty text for the name', async () => {
    const slug = await newShop();
    expectInvalid(await update(slug, { name: null }), ['body.name', 'type_error']);
    expectInvalid(await update(slug, { name: '' }), ['body.name', 'value_error']);
  });

  test('refuses a wrong value of every kind, all in one answer', async () => {
    const slug = await newShop();
    const body = {
      language: 'xx',
      industry: 1,
      shop_provider: 'x',
      shop_url: 'x',
      contact_phone: [],
      description: false,
    };
    expectInvalid(
      await update(slug, body),
      ['body.language', 'value_error'],
      ['body.industry', 'type_error'],
      ['body.shop_provider', 'value_error'],
      ['body.shop_url', 'value_error'],
      ['body.contact_phone', 'type_error'],
      ['body.description', 'type_error'],
    );
  });

  test('ignores the slug and the fields that only the service sets', async () => {
    const slug = await newShop();
    const before = await shopOf(slug);
    expect((await update(slug, { slug: newSlug(), uuid: 'x', created_at: 'x', shop_currency: 'USD' })).status).toBe(
      200,
    );
    expect(await shopOf(slug)).toEqual({ ...before, updated_at: expect.any(String) });
  });

  test('changes updated_at and not created_at', async () => {
    const slug = await newShop();
    const before = await shopOf(slug);
    await update(slug, { name: 'After' });
    const after = await shopOf(slug);
    expect(after.created_at).toBe(before.created_at);
    expect(Date.parse(String(after.updated_at))).toBeGreaterThan(Date.parse(String(before.updated_at)));
  });

  test('keeps all of several updates of different fields at once', async () => {
    const slug = await newShop();
    const answers = await Promise.all(Object.entries(shown).map(([field, value]) => update(slug, { [field]: value })));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(await shopOf(slug)).toMatchObject(shown);
  });

  test('accepts a body without fields', async () => {
    const slug = await newShop();
    expect(await update(slug, {})).toMatchObject({ status: 200, body: null });
  });

  test('answers 404 for a shop that does not exist, and does not create one', async () => {
    const slug = newSlug();
    expectError(await update(slug, { name: 'A shop' }), 404, 'shop_not_found');
    expectError(await api('GET', `/v1/shops/${slug}`, { key: superAdmin }), 404, 'shop_not_found');
  });
});

describe('getting a shop', () => {
  test('shows a viewer the same shop as a SuperAdmin', async () => {
    const slug = await newShop({ ...shown, ...unshown });
    const { status, body } = await api('GET', `/v1/shops/${slug}`, { key: await keyFor(slug, 'viewer') });
    expect({ status, body }).toEqual({ status: 200, body: await shopOf(slug) });
  });
});
