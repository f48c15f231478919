import { BatchGetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { handler } from '#api/pages/handler.ts';
import { type Clock, lookupWith } from '#api/pages/lookup.ts';
import { handler as settingsHandler } from '#api/settings/handler.ts';
import { pageLimits } from '#schemas/catalogues/limits.ts';
import { invoke } from '#test/kit/invoke.ts';
import { pageTokenOf, sendForm } from '#test/kit/pages.ts';
import { asOperator, dynamo, operator, shopItem, tableWith } from '#test/kit/table.ts';

const slug = 'blue';
const resource = '/lookup/{slug}';
const customer = { email_id: 'Ada@example.com', address: { zip_code: 'SW1A 1AA' } };
let token: string;

beforeEach(async () => {
  tableWith(operator.item, shopItem(slug, { name: 'Blue shop' }));
  token = await pageTokenOf(slug, '1001', customer);
});

/** Each from an address of its own, unless it is given. */
let addresses = 0;
const find = (order_number: string, email_or_postcode: string, more: { address?: string; query?: object } = {}) =>
  sendForm(
    resource,
    { slug },
    {
      fields: { order_number, email_or_postcode },
      address: `192.0.2.${++addresses % 250}`,
      ...(more as object),
    },
  );

describe('the form', () => {
  const open = (shop: string) => invoke(handler, { method: 'GET', resource, params: { slug: shop } });

  test('has the brand of the shop', async () => {
    const { status, body } = await open(slug);
    expect(status).toBe(200);
    expect(body).toContain('Blue shop');
    expect(body).toContain('name="email_or_postcode"');
  });

  test('is not there for an unknown shop, or for a text that is no slug', async () => {
    for (const shop of ['unknown', 'x'.repeat(3000), '\u0000', '../blue', ''])
      expect((await open(shop)).status).toBe(404);
  });

  test('is not there for a shop without pages', async () => {
    const call = { resource: '/v1/shops/{slug}/settings/tracking-page', params: { slug }, headers: asOperator };
    await invoke(settingsHandler, { method: 'PATCH', ...call, body: { enabled: false } });
    expect((await open(slug)).status).toBe(404);
    expect((await find('1001', 'ada@example.com')).status).toBe(404);
  });

  test('is shown again if a field is empty, before any order is read', async () => {
    const before = dynamo.commandCalls(BatchGetCommand).length;
    for (const fields of [{}, { order_number: '1001' }, { order_number: ' # ', email_or_postcode: 'x' }]) {
      const { status, body } = await sendForm(resource, { slug }, { fields });
      expect(status).toBe(422);
      expect(body).toContain('Please check the marked fields.');
    }
    const reads = dynamo.commandCalls(BatchGetCommand).slice(before);
    expect(JSON.stringify(reads.map(({ args }) => args[0].input))).not.toMatch(/ORDERREF|ORDER#|LOOKUPS/);
  });
});

describe('the order', () => {
  test('is found by its number with the e-mail address or the postcode', async () => {
    for (const known of ['ada@example.com', ' ADA@EXAMPLE.COM ', 'sw1a1aa', 'SW1A 1AA']) {
      const { status, headers } = await find(' #1001 ', known);
      expect([status, headers.Location]).toEqual([303, `../t/${token}`]);
    }
  });

  test('is found without the # of its number', async () => {
    const hashed = await pageTokenOf(slug, '#2002', customer);
    expect((await find('2002', 'ada@example.com')).headers.Location).toBe(`../t/${hashed}`);
  });

  test('is found although another one has the number with a #', async () => {
    await pageTokenOf(slug, '#1001', { email_id: 'somebody@example.com' });
    expect((await find('#1001', 'ada@example.com')).headers.Location).toBe(`../t/${token}`);
  });

  test('opens in the chosen language', async () => {
    const { headers } = await find('1001', 'SW1A1AA', { query: { lang: 'de' } });
    expect(headers.Location).toBe(`../t/${token}?lang=de`);
  });
});

describe('a wrong try and one for an unknown order', () => {
  const shown = ({ status, headers, body }: Awaited<ReturnType<typeof find>>) => {
    const { 'X-Correlation-Id': _, ...others } = headers;
    // Whoever typed it knows it.
    return { status, headers: others, body: String(body).replaceAll(/ value="[^"]*"/g, '') };
  };

  test('get the same page with the same headers, whatever was typed, and only that stands in its fields', async () => {
    const wrong = shown(await find('1001', 'eve@example.com'));
    expect(wrong.status).toBe(404);
    const tries = [
      ['9999', 'eve@example.com'],
      ['9999', 'ada@example.com'],
      ['1001', '10115'],
      ['<b>', '"><script>'],
      ['x'.repeat(5000), 'y'.repeat(5000)],
      ['🎁'.repeat(300), '\u0000'],
    ] as const;
    for (const [number, proof] of tries) expect(shown(await find(number, proof))).toEqual(wrong);
    const unknown = await find('9999', 'eve@example.com');
    expect(unknown.body).toContain('value="9999"');
    expect(unknown.body).toContain('value="eve@example.com"');
    expect(unknown.headers).not.toHaveProperty('Location');
  });

  test('read the same', async () => {
    const readsOf = async (number: string) => {
      dynamo.resetHistory();
      await find(number, 'eve@example.com');
      const calls = dynamo.commandCalls(BatchGetCommand).map(({ args }) => args[0].input.RequestItems!);
      return calls.map((items) => Object.values(items)[0]!.Keys!.map(({ pk }) => String(pk).split('#')[0]));
    };
    await find('1', 'x'); // makes the view of the storefront
    const wrong = await readsOf('1001');
    expect(wrong).toEqual([['STOREFRONT'], ['LOOKUPS'], ['ORDERREF', 'ORDERREF'], ['ORDER', 'ORDER']]);
    expect(await readsOf('9999')).toEqual(wrong);
  });

  test('are answered at the same time after they came, however long the reads took', async () => {
    for (const [took, waits] of [
      [3, 250],
      [180, 250],
      [300, 500],
    ] as const) {
      const clock = { now: () => 1_000_000 + took, waitUntil: vi.fn(async () => {}) } satisfies Clock;
      for (const number of ['1001', '9999']) await runLookup(clock, number, 'eve@example.com');
      expect(clock.waitUntil.mock.calls).toEqual([[1_000_000 + waits], [1_000_000 + waits]]);
    }
  });

  const runLookup = (clock: Clock, order_number: string, email_or_postcode: string) =>
    lookupWith(clock)({
      params: { slug },
      query: {},
      headers: {},
      body: { order_number, email_or_postcode },
      clientAddress: `clock-${++addresses}`,
      setLanguage: () => {},
      now: new Date(1_000_000),
    } as never);
});

describe('ten tries in ten minutes', () => {
  const address = '198.51.100.7';
  const statusesOf = async (count: number) => {
    const statuses = [];
    for (let i = 0; i < count; i++) statuses.push((await find('1001', 'ada@example.com', { address })).status);
    return statuses;
  };

  test('are what one address has at one shop, also if they are right', async () => {
    expect(await statusesOf(11)).toEqual([...Array<number>(10).fill(303), 429]);
    expect((await find('1001', 'ada@example.com')).status).toBe(303);
    tableWith(operator.item, shopItem(slug), shopItem('red'));
    expect((await find('1001', 'x', { address })).status).toBe(404);
  });

  test('are counted exactly if many come at once', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => find('1001', 'ada@example.com', { address })));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(pageLimits.lookups);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20);
  });

  test('are over after ten minutes, and the answer says when', async () => {
    vi.useFakeTimers({ now: Date.now(), toFake: ['Date'] });
    try {
      await statusesOf(10);
      vi.setSystemTime(Date.now() + 4 * 60_000);
      const { status, headers, body } = await find('1001', 'ada@example.com', { address });
      expect([status, headers['Retry-After']]).toEqual([429, '360']);
      expect(body).toContain('There were many tries in a short time.');
      vi.setSystemTime(Date.now() + 6 * 60_000);
      expect(await statusesOf(1)).toEqual([303]);
    } finally {
      vi.useRealTimers();
    }
  });

  test('leave nothing of the address or of what was typed in the table', async () => {
    await find('1001', 'eve@example.com', { address });
    const written = dynamo.commandCalls(PutCommand).map(({ args }) => args[0].input.Item!);
    const tries = written.filter(({ pk }) => String(pk).startsWith('LOOKUPS#'));
    expect(tries).toHaveLength(1);
    expect(JSON.stringify(tries)).not.toMatch(/198\.51|eve@/);
    expect(tries[0]!.expires_at).toBeGreaterThan(Date.now() / 1000);
  });
});
