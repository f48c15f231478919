import { describe, expect, test } from 'vitest';
import { shopRoles } from '#schemas/catalogues/enumerations.ts';
import { basic } from '#test/e2e/kit/client.ts';
import { expectError, expectInvalid } from '#test/e2e/kit/errors.ts';
import { api, keyFor, newShop, url } from '#test/e2e/kit/shared-stack.ts';

const slug = await newShop();
const key = await keyFor(slug, 'viewer');

const today = () => new Date().toISOString().slice(0, 10);

/** As curl sends it. */
const get = (path: string, accept = '*/*') =>
  fetch(`${url}/v1/shops/${slug}/analytics${path}`, { headers: { authorization: basic(key), accept } });

describe('figures of a new shop', () => {
  test('are empty lists of delivery times and windows, and zeros for every day', async () => {
    expect(await (await get('/delivery-times')).json()).toEqual([]);
    expect(await (await get('/arrival-calibration')).json()).toEqual([]);
    const days = (await (await get(`/overview?to=${today()}`)).json()) as object[];
    expect(days).toHaveLength(90);
    expect(days.at(-1)).toMatchObject({ day: today(), orders: 0, shipped: 0, mails_sent: 0 });
  });

  test('are CSV for who asks for it, with a header line', async () => {
    const response = await get('/delivery-times?by=week', 'text/csv');
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(response.headers.get('vary')).toContain('Accept,');
    expect(await response.text()).toMatch(/^carrier_reference,country,week,shipped,.*,rating_mean,definition\r\n$/);
    const csv = await (await get(`/overview?from=${today()}&to=${today()}`, 'text/csv')).text();
    const columns = 'day,orders,shipped,delivered,claims,pages_opened,mails_sent,promotions_shown,promotions_clicked';
    expect(csv).toBe(`${columns}\r\n${today()},0,0,0,0,0,0,0,0\r\n`);
    expect(await (await get('/arrival-calibration', 'text/csv')).text()).toBe(
      'week,source,carrier_reference,level,n,covered,mean_width_hours,under_way\r\n',
    );
  });

  test('are refused in JSON, also to who asks for CSV', async () => {
    const answer = await api('GET', `/v1/shops/${slug}/analytics/overview?from=2026-02-02&to=2026-02-01`, {
      key,
      headers: { accept: 'text/csv' },
    });
    expectInvalid(answer, ['query.from', 'value_error']);
  });
});

test.each(shopRoles)('%s sees the figures of the own shop only', async (role) => {
  const own = await keyFor(slug, role);
  const other = await newShop();
  for (const name of ['delivery-times', 'overview', 'arrival-calibration']) {
    expect((await api('GET', `/v1/shops/${slug}/analytics/${name}`, { key: own })).status).toBe(200);
    const refused = await api('GET', `/v1/shops/${other}/analytics/${name}`, { key: own });
    expectError(refused, 403, 'insufficient_rights');
  }
});
