import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Browser, Locator, Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { axeFaults } from './axe.ts';
import { sharedConsole } from './console-service.ts';
import { abTestResults, arrivalCalibration, dayBefore, dayFigures, deliveryTimes } from './figures-answers.ts';
import { sharedChromium } from './shared-stack.ts';

/**
 * Figures and results of A/B tests, with answers that hundreds of parcels would give. `SCREENSHOTS=<folder> npx vitest run
 * --project browser console-figures` keeps pictures for people to look at.
 */

let browser: Browser;
const service = sharedConsole();
const folder = process.env.SCREENSHOTS;
beforeAll(async () => {
  if (folder) mkdirSync(resolve(folder), { recursive: true });
  browser = await sharedChromium();
});
afterAll(() => browser?.close());
afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
});

const desk = { width: 1280, height: 900 };
const phone = { width: 390, height: 844 };
const looks = [
  ['desk-light', desk, 'light'],
  ['desk-dark', desk, 'dark'],
  ['phone-light', phone, 'light'],
  ['phone-dark', phone, 'dark'],
] as const;

/** @param part of the page. Default: all of it */
const shoot = async (page: Page, name: string, part?: Locator) => {
  if (!folder) return;
  await page.evaluate('scrollTo(0, 0)');
  const clip = await part?.boundingBox();
  await page.screenshot({ path: join(resolve(folder), `${name}.png`), fullPage: true, ...(clip && { clip }) });
};

const overflow = (page: Page) =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** At a desk and on a phone, in the light and in the dark: no fault of accessibility, and nothing beyond the screen. */
async function looksWell(page: Page, name: string, part?: Locator) {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const [look, viewport, colorScheme] of looks) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    expect.soft(await overflow(page), `${name} ${look}`).toBe(0);
    expect.soft(await axeFaults(page), `${name} ${look}`).toEqual([]);
    await shoot(page, `${name}-${look}`, part);
  }
  await page.setViewportSize(desk);
  await page.emulateMedia({ colorScheme: 'light' });
}

const asked = (route: Route) => new URL(route.request().url()).searchParams;

/** Answers as a shop with thousands of parcels gets them. */
async function withFigures(page: Page, slug: string): Promise<URLSearchParams[]> {
  const requests: URLSearchParams[] = [];
  await page.route(`**/v1/shops/${slug}/analytics/delivery-times*`, (route) => {
    const query = asked(route);
    requests.push(query);
    if (route.request().headers().accept === 'text/csv')
      return route.fulfill({ contentType: 'text/csv; charset=utf-8', body: `by,${query.get('by')}\r\n` });
    return route.fulfill({ json: deliveryTimes(query.get('by') ?? 'carrier') });
  });
  await page.route(`**/v1/shops/${slug}/analytics/overview*`, (route) => {
    const query = asked(route);
    const days = (Date.parse(query.get('to')!) - Date.parse(query.get('from')!)) / 86_400_000 + 1;
    return route.fulfill({ json: dayFigures(days) });
  });
  await page.route(`**/v1/shops/${slug}/analytics/arrival-calibration*`, (route) =>
    route.request().headers().accept === 'text/csv'
      ? route.fulfill({ contentType: 'text/csv; charset=utf-8', body: `from,${asked(route).get('from')}\r\n` })
      : route.fulfill({ json: arrivalCalibration() }),
  );
  return requests;
}

async function openFigures(query = '', options = {}) {
  const { slug, base } = await service.newShop();
  const opened = await service.open(browser, await service.keyOf(slug, 'viewer'), '/nothing', {
    viewport: desk,
    ...options,
  });
  const requests = await withFigures(opened.page, slug);
  await opened.page.goto(`${service.url}/console/s/${slug}/figures${query}`);
  return { ...opened, slug, base, requests };
}

const chart = (page: Page, message: string) => page.locator('figure', { hasText: message });

async function tableOf(page: Page, message: string): Promise<string[]> {
  const figure = chart(page, message);
  await figure.locator('summary').click();
  return (await figure.locator('details tbody tr').allInnerTexts()).map((row) => row.replace(/\s+/g, ' ').trim());
}

describe('figures', () => {
  test('say how long parcels take and what becomes of them, each chart with its table and what it means', async () => {
    const { page, faults, requests } = await openFigures();
    await chart(page, 'Half of the parcels arrive within 41 hours to 2.6 days').waitFor();
    await page.getByText('Half of the parcels that DHL Paket got arrived within 41 hours.').waitFor();
    expect(await tableOf(page, 'Half of the parcels arrive within')).toEqual([
      'DHL Paket 41 hours 3.2 days 4,210 241',
      'Hermes 2.6 days 3.2 days 820 99',
      'Unknown carrier 41 hours not reached yet 35 4',
      'GO! Express & Logistics not reached yet not reached yet 12 9',
    ]);
    expect(await tableOf(page, '4,638 of 5,077 parcels are delivered')).toContain('Hermes 820 700 21 99');
    await page.getByText('353 parcels are still under way.').waitFor();
    for (const message of ['Carriers kept', 'claims per 1,000 parcels', 'customers give', 'at the first attempt'])
      expect([message, await chart(page, message).locator('.help').count()]).toEqual([message, 1]);
    const trend = chart(page, 'DHL Paket: half of the parcels of the week of');
    await trend.locator('canvas').waitFor();
    expect(await trend.locator('.help').innerText()).toMatch(/shaded weeks are provisional.*: 274 of 391/);
    const rows = await tableOf(page, 'DHL Paket: half of the parcels of the week of');
    expect(rows).toHaveLength(13);
    expect(rows.at(-1)).toMatch(/^Week of .* 391 274$/);
    expect(requests.map((query) => query.get('by')).sort()).toEqual(['carrier', 'carrier,week']);
    expect(requests[0]!.get('from')).toBe(dayBefore(89));
    await looksWell(page, 'figures-full');
    expect(faults).toEqual([]);
  });

  test('keep period and comparison in the address, and survive a reload', async () => {
    const { page, requests, slug } = await openFigures();
    await page.getByLabel('Compare').selectOption('Country');
    await page.getByText('Germany').first().waitFor();
    expect(page.url()).toContain('by=country');
    await page.getByLabel('Period').selectOption('Last 30 days');
    await expect.poll(() => requests.at(-1)!.get('from')).toBe(dayBefore(29));
    expect(requests.at(-1)!.get('by')).toMatch(/^country/);
    await page.reload();
    await page.getByText('Germany').first().waitFor();
    expect(await page.getByLabel('Period').inputValue()).toBe('30');

    await page.getByLabel('Compare').selectOption('Carrier and country');
    await page.getByText('DHL Paket · Austria').first().waitFor();
    await page.getByLabel('Period').selectOption('Dates of my own');
    const first = page.getByLabel('First day (UTC)');
    await first.fill('2026-02-01');
    await page.keyboard.press('Enter');
    await expect.poll(() => requests.at(-1)!.get('from')).toBe('2026-02-01');
    await page.getByLabel('Last day (UTC)').fill('2026-03-31');
    await page.keyboard.press('Enter');
    await expect.poll(() => requests.at(-1)!.get('to')).toBe('2026-03-31');
    expect(requests.at(-1)!.get('from')).toBe('2026-02-01');
    expect(page.url()).toContain('from=2026-02-01&to=2026-03-31');
    // Both requests of this period, so that none comes later.
    await expect.poll(() => requests.filter((query) => query.get('to') === '2026-03-31').length).toBe(2);

    const before = requests.length;
    await first.fill('2026-05-01');
    await page.keyboard.press('Enter');
    await page.getByText('The first day must not be after the last one.').first().waitFor();
    expect(await first.getAttribute('aria-invalid')).toBe('true');
    expect(await axeFaults(page)).toEqual([]);
    await first.fill('2021-05-01');
    await page.keyboard.press('Enter');
    await page.getByText('Choose at most 366 days.').first().waitFor();
    expect(requests).toHaveLength(before);
    await page.getByLabel('Period').selectOption('Last 180 days');
    await expect.poll(() => requests.at(-1)!.get('from')).toBe(dayBefore(179));
    expect(page.url()).not.toContain('from=');
    expect(page.url()).toContain(`/s/${slug}/figures?`);
  });

  test('are saved as the file that the service makes', async () => {
    const { page, slug } = await openFigures('?days=30&by=both');
    await page.locator('figure').first().waitFor();
    for (const [section, name, content] of [
      ['Delivery times', 'delivery-times', 'by,carrier,country\r\n'],
      ['Week by week', 'delivery-times-by-week', 'by,carrier,country,week\r\n'],
      ['Arrival: what we said and what was', 'arrival-calibration', `from,${dayBefore(29)}\r\n`],
    ] as const) {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: `Export as CSV: ${section}` }).click(),
      ]);
      expect(download.suggestedFilename()).toBe(`${slug}-${name}.csv`);
      const file = join(tmpdir(), `${slug}-${name}.csv`);
      await download.saveAs(file);
      expect(readFileSync(file, 'utf8')).toBe(content);
      rmSync(file);
    }
    await page.route('**/analytics/overview*', (route) =>
      route.fulfill({ status: 500, json: { key: 'unexpected', message: 'No.', type: 'api_error', errors: [] } }),
    );
    await page.getByRole('button', { name: 'Export as CSV: Day by day' }).click();
    await page.getByText('The list was not exported. Something went wrong in the service.').waitFor();
  });

  test('of an empty shop say what would be there and how to get it', async () => {
    const { slug } = await service.newShop();
    const { page, faults } = await service.open(browser, service.operatorKey, `/s/${slug}/figures`, { viewport: desk });
    await page.getByText('Delivery times will be here').waitFor();
    expect(await page.locator('figure').count()).toBe(0);
    await looksWell(page, 'figures-empty');
    await page.getByRole('link', { name: 'How to send orders' }).click();
    await page.getByText('Orders, parcels and claims will be here').waitFor();
    expect(faults).toEqual([]);
  });

  test('say what failed, with the id of the request, and try again', async () => {
    const { slug } = await service.newShop();
    const { page } = await service.open(browser, service.operatorKey, '/nothing', { viewport: desk });
    const address = `**/v1/shops/${slug}/analytics/*`;
    await page.route(address, (route) =>
      route.fulfill({
        status: 500,
        headers: { 'x-correlation-id': 'correlation-of-the-test' },
        json: { key: 'unexpected', message: 'Something went wrong.', type: 'api_error', errors: [] },
      }),
    );
    await page.goto(`${service.url}/console/s/${slug}/figures`);
    await page.getByText('The figures could not be read.').waitFor();
    expect(await page.getByRole('alert').innerText()).toContain('correlation-of-the-test');
    await looksWell(page, 'figures-failing');
    await page.unroute(address);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Delivery times will be here').waitFor();
  });

  test('are reached from the overview, which shows the same figures', async () => {
    const { slug, base } = await service.newShop();
    await service.call('PUT', `${base}/orders`, { id: '1', order: {}, trackings: [{ tracking_number: 'T1' }] });
    const counted = async () => (await service.call('GET', `${base}/statistics`)).orders.days.at(-1).count;
    await expect.poll(counted, { timeout: 30_000 }).toBe(1);
    const { page, faults } = await service.open(browser, await service.keyOf(slug, 'viewer'), '/nothing', {
      viewport: desk,
    });
    await withFigures(page, slug);
    await page.goto(`${service.url}/console/s/${slug}/overview`);
    const card = page.locator('.times .card', { hasText: 'DHL Paket' });
    expect((await card.innerText()).replace(/\s+/g, ' ')).toBe(
      'DHL Paket 41 hours half of the parcels 3.2 days for nine of ten',
    );
    const rows = await tableOf(page, 'In 14 days:');
    expect(rows).toHaveLength(14);
    const last = dayFigures(14).at(-1)!;
    expect(rows.at(-1)).toMatch(new RegExp(` ${last.orders} ${last.shipped} ${last.delivered}$`));
    await looksWell(page, 'overview-full');
    await page.getByRole('link', { name: 'All figures' }).click();
    await chart(page, 'Half of the parcels arrive within 41 hours').waitFor();
    expect(await page.getByLabel('Period').inputValue()).toBe('30');
    expect(faults).toEqual([]);
  });

  test('are said in German, too', async () => {
    const { page } = await openFigures('', { locale: 'de-DE', viewport: phone });
    await chart(page, 'Die Hälfte der Pakete braucht höchstens 41 Stunden bis 2,6 Tage').waitFor();
    await shoot(page, 'figures-german');
    expect(await overflow(page)).toBe(0);
  });
});

describe('windows of arrival', () => {
  const section = (page: Page) => page.locator('section', { hasText: 'Arrival: what we said and what was' });
  const answer = (page: Page) => section(page).locator('.said');

  async function openWith(rows: object, options = {}) {
    const opened = await openFigures('', options);
    await opened.page.route('**/analytics/arrival-calibration*', (route) => route.fulfill({ json: rows }));
    await opened.page.reload();
    return opened;
  }

  test('say how many were to hold and how many did, week by week and by carrier', async () => {
    const { page, faults } = await openFigures();
    await answer(page).getByRole('heading', { name: 'Said 90, was 90' }).waitFor();
    const words = await answer(page).innerText();
    expect(words).toContain(
      'Of 1,200 windows nine in ten should hold; 90.4% did. The windows are as wide as they need to be.',
    );
    expect(words).toMatch(/the last 8 final weeks \(.*\)\. A window was 3\.1 days wide on average\./);
    expect(words).toContain('Carriers themselves named 160 windows; 73.5% held. They were 20 hours wide on average.');
    const message = 'In a week, 88.4% to 96.7% of our windows held';
    await chart(page, message).locator('canvas').waitFor();
    expect(await chart(page, message).locator('.help').innerText()).toContain('Hollow points are not final');
    const rows = await tableOf(page, message);
    expect(rows).toHaveLength(13);
    expect(rows.at(-1)).toMatch(/96\.7% 70% 90% 90 3\.3 days 90 Not final Not final$/);
    expect(rows.at(-3)).toMatch(/90% 74% 90% 150 3\.1 days 1 Final Not final$/);
    const table = page.getByRole('table', { name: 'The same windows by carrier' });
    expect((await table.locator('tbody tr').allInnerTexts()).map((row) => row.replace(/\s+/g, ' ').trim())).toEqual([
      'DHL Paket Us 960 90.5% 2.9 days 8',
      'DHL Paket The carrier 160 73.5% 20 hours 4',
      'Hermes Us 240 90% 4.1 days 0',
    ]);
    await chart(page, message).locator('summary').click();
    await looksWell(page, 'arrivals', section(page));
    expect(faults).toEqual([]);
  });

  test('that are too narrow are called so', async () => {
    const { page } = await openWith(arrivalCalibration().map((row) => ({ ...row, covered: 0.75 })));
    await answer(page).getByRole('heading', { name: 'Said 90, was 75' }).waitFor();
    expect(await answer(page).innerText()).toContain('Fewer held than we said: the windows are too narrow.');
  });

  test('of young weeks alone decide nothing', async () => {
    const { page } = await openWith(arrivalCalibration().slice(-3));
    await answer(page).getByRole('heading', { name: 'No week is final yet' }).waitFor();
    expect(await answer(page).innerText()).toMatch(/90 windows .* 90 parcels are still under way/);
    await section(page).getByText('Choose a longer period to see how windows hold').waitFor();
    expect(await axeFaults(page)).toEqual([]);
  });

  test('that only carriers named are theirs', async () => {
    const { page } = await openWith(arrivalCalibration().filter(({ source }) => source === 'carrier'));
    await answer(page).getByRole('heading', { name: 'We have not said a time yet' }).waitFor();
    expect(await answer(page).innerText()).toContain('as soon as 30 delivered parcels');
    const rows = await tableOf(page, 'In a week, 70% to 78% of the carriers');
    expect(rows).toHaveLength(13);
    await looksWell(page, 'arrivals-of-carriers', section(page));
  });

  test('that nobody named say what they need', async () => {
    const { page, faults } = await openWith([]);
    await section(page).getByRole('heading', { name: 'Windows of arrival will be here' }).waitFor();
    expect(await section(page).innerText()).toContain('as soon as 30 delivered parcels of the carrier and country');
    expect(await section(page).getByRole('button').count()).toBe(0);
    await looksWell(page, 'arrivals-empty', section(page));
    expect(faults).toEqual([]);
  });

  test('that cannot be read say so, beside the other figures, and are read again', async () => {
    const { page } = await openFigures();
    await page.route('**/analytics/arrival-calibration*', (route) =>
      route.fulfill({ status: 500, json: { key: 'unexpected', message: 'No.', type: 'api_error', errors: [] } }),
    );
    await page.reload();
    await section(page).getByText('What was said of arrivals could not be read.').waitFor();
    await chart(page, 'Half of the parcels arrive within 41 hours').waitFor();
    await looksWell(page, 'arrivals-failing', section(page));
    await page.unroute('**/analytics/arrival-calibration*');
    await page.route('**/analytics/arrival-calibration*', (route) => route.fulfill({ json: arrivalCalibration() }));
    await section(page).getByRole('button', { name: 'Try again' }).click();
    await answer(page).getByRole('heading', { name: 'Said 90, was 90' }).waitFor();
  });

  test('are said in German, too', async () => {
    const { page } = await openFigures('', { locale: 'de-DE', viewport: phone });
    await page.locator('.said').getByRole('heading', { name: 'Gesagt 90, gehalten 90' }).waitFor();
    await looksWell(page, 'arrivals-german', page.locator('section', { has: page.locator('.said') }));
  });
});

describe('the results of an A/B test', () => {
  const campaign = (name: string) => ({
    name,
    segment: 'all',
    promotion_type: 'basic',
    promotion_properties: { title: 'Warm socks', cta_url: 'https://shop.example/socks' },
  });

  async function openTest(fields: object = {}, names = ['Warm socks', 'Woollen hats'], holdout = 20) {
    const { slug, base } = await service.newShop();
    const ids: string[] = [];
    for (const name of names) ids.push((await service.call('POST', `${base}/campaigns`, campaign(name))).uuid);
    const allocation = (100 - holdout) / ids.length;
    const created = await service.call('POST', `${base}/ab-tests`, {
      name: 'Which one brings customers back?',
      segment: 'all',
      campaign_type: 'basic',
      campaigns: ids.map((campaign_id) => ({ campaign_id, allocation })),
      has_holdout: holdout > 0,
      holdout_percentage: holdout,
      ...fields,
    });
    const [found] = created ? [created] : await service.call('GET', `${base}/ab-tests`);
    const opened = await service.open(browser, await service.keyOf(slug, 'viewer'), '/nothing', { viewport: desk });
    const show = async (results?: object) => {
      if (results)
        await opened.page.route(`**/v1/shops/${slug}/ab-tests/*/results`, (route) => route.fulfill({ json: results }));
      await opened.page.goto(`${service.url}/console/s/${slug}/ab-tests/${found.uuid}`);
    };
    return { ...opened, slug, ids, show };
  }

  const decision = (page: Page) => page.locator('.decision');

  test('that may still be zero say so, and where the difference may be', async () => {
    const { page, ids, show, faults } = await openTest();
    await show(abTestResults(ids, 'undecided'));
    await decision(page).getByText('Keep running: the difference may still be zero.').waitFor();
    expect(await tableOf(page, 'Who brings more customers back is not decided yet')).toEqual([
      'Warm socks against showing nothing +0.4 points -1.1 points +1.9 points Not decided',
      'Woollen hats against showing nothing +0.4 points -1.1 points +1.9 points Not decided',
    ]);
    await page.getByText('however often you look').first().waitFor();
    // The line of what is undecided lies on both sides of zero.
    const [low, zero, high] = await page.evaluate<number[]>(`(() => {
      const row = document.querySelector('.drawn-row');
      const at = (line, name) => parseFloat(line.getAttribute(name));
      const line = row.querySelector('.interval line');
      return [at(line, 'x1'), at(row.querySelector('.zero'), 'x1'), at(line, 'x2')];
    })()`);
    expect(low).toBeLessThan(zero!);
    expect(high).toBeGreaterThan(zero!);
    const arms = page.getByRole('table', { name: 'Groups of the test' });
    expect((await arms.locator('tbody tr').first().innerText()).replace(/\s+/g, ' ')).toBe(
      'Sees nothing 20 % 4,021 3,380 372 11% 0 0 –',
    );
    await looksWell(page, 'ab-undecided');
    expect(faults).toEqual([]);
  });

  test('that are decided name the campaign that brings more customers back', async () => {
    const { page, ids, show } = await openTest();
    await show(abTestResults(ids, 'better'));
    await decision(page).getByText('“Warm socks” brings more customers back than showing nothing.').waitFor();
    expect(await decision(page).locator('.state').innerText()).toBe('Better');
    await chart(page, 'Customers follow “Woollen hats” less often than “Warm socks”.').waitFor();
    await looksWell(page, 'ab-better');
  });

  test('of a split that is not as planned are not to be trusted, and nothing is decided', async () => {
    const { page, ids, show } = await openTest();
    await show(abTestResults(ids, 'split'));
    await page.getByRole('alert').getByText('The split is not as planned').waitFor();
    expect(await decision(page).count()).toBe(0);
    expect(await page.getByText('Better', { exact: true }).count()).toBe(0);
    await looksWell(page, 'ab-split');
  });

  test('begin with the test: a planned one says when, and shows its groups', async () => {
    const start_date = new Date(Date.now() + 3 * 86_400_000).toISOString();
    const { page, show, faults } = await openTest({ start_date });
    await show();
    await page.getByText('The test has not begun. Its results will be here from').waitFor();
    expect(await page.getByRole('table', { name: 'Groups of the test' }).locator('tbody tr').count()).toBe(3);
    await looksWell(page, 'ab-planned');
    expect(faults).toEqual([]);
  });

  test('of a new test are empty, and say what they wait for', async () => {
    const { page, show, faults } = await openTest();
    await show();
    await page.getByText('No customer of the segment has ordered since the test began.').waitFor();
    await looksWell(page, 'ab-new');
    expect(faults).toEqual([]);
  });

  test('of many campaigns with long names and without a control fit the screen', async () => {
    const names = Array.from({ length: 5 }, (_, i) => `Campaign ${i + 1} ${'with a very long name '.repeat(4)}`.trim());
    const { page, ids, show } = await openTest({}, names, 0);
    const results = abTestResults(ids, 'undecided');
    await show({
      ...results,
      arms: results.arms.slice(1),
      comparisons: results.comparisons.filter(({ metric }) => metric === 'clicked'),
    });
    await page.getByText('Keep running').waitFor();
    await looksWell(page, 'ab-many');
  });

  test('that cannot be read say so, beside what the test is', async () => {
    const { page, show } = await openTest();
    await page.route('**/results', (route) =>
      route.fulfill({ status: 500, json: { key: 'unexpected', message: 'No.', type: 'api_error', errors: [] } }),
    );
    await show();
    await page.getByText('The results of the test could not be read.').waitFor();
    await page.getByRole('table', { name: 'Groups of the test' }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
  });
});
