import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { axeFaults } from './axe.ts';
import { sharedConsole } from './console-service.ts';
import { sharedChromium } from './shared-stack.ts';

const service = sharedConsole();
let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
}, 120_000);
afterAll(async () => {
  await browser?.close();
});

/** A shop with four orders: one under way, one that arrived with a claim, one that is lost, and one without a parcel. */
async function shopWithOrders() {
  const { slug, base } = await service.newShop();
  const upsert = (id: string, trackings: object[]) => ({
    id,
    order: { order_name: `<b>${id}</b>`, address: { name: `Rosa ${id}` } },
    trackings,
  });
  const tracking = (tracking_number: string) => ({ tracking_number });
  await service.call('PUT', `${base}/orders/bulk`, [
    upsert('moving', [tracking('M1')]),
    upsert('arrived', [tracking('A1')]),
    upsert('lost', [tracking('L1')]),
    upsert('waiting', []),
  ]);
  const event = (id: string, event_name: string) => service.call('POST', `${base}/shipment-events`, { id, event_name });
  await event('M1', 'ARRIVED_AT_SORTING_CENTER');
  await event('A1', 'SUCCESSFULLY_DELIVERED');
  await event('L1', 'SHIPMENT_LOST');
  await service.call('POST', `${base}/claims`, { tracking_number: 'A1', reason: 'damage' });
  await vi.waitFor(
    async () => {
      const { parcels, claims } = await service.call('GET', `${base}/statistics`);
      expect(parcels.by_phase).toMatchObject({ in_transit: 1, delivered: 1, delivery_failed: 1, order_created: 1 });
      expect(claims.by_status.pending).toBe(1);
    },
    { timeout: 30_000, interval: 250 },
  );
  return { slug, base };
}

/** The message of a chart, which its table repeats for those who do not see it. */
const message = (page: Page, text: string) => page.locator('figcaption', { hasText: text });

const tally = (page: Page, name: string) => page.locator('.tally', { hasText: name }).locator('.figure').innerText();

describe('the overview', () => {
  test('shows what was made: parcels by phase, orders of today, claims and what needs somebody', async () => {
    const { slug, base } = await shopWithOrders();
    const { page, context, faults } = await service.open(
      browser,
      await service.keyOf(slug, 'admin'),
      `/s/${slug}/overview`,
    );
    await page.locator('.tally').first().waitFor();
    for (const name of ['On its way', 'Delivered', 'Delivery failed', 'Order placed', 'Waiting']) {
      expect([name, await tally(page, name)]).toEqual([name, '1']);
    }
    const trouble = page.locator('.trouble', { hasText: 'Lost' });
    expect(await trouble.locator('.count').innerText()).toBe('1');
    expect(await trouble.locator('a').innerText()).toBe('Order lost · Rosa lost');
    expect(await trouble.locator('a').getAttribute('href')).toMatch(
      new RegExp(`/console/s/${slug}/orders/[0-9a-f-]{36}$`),
    );
    const figures = page.locator('figure', { hasText: 'In 14 days: 4 orders' });
    await figures.locator('summary').click();
    const rows = await figures.locator('details tbody tr').allInnerTexts();
    expect(rows).toHaveLength(14);
    // Orders, handed over, delivered: as the figures count them.
    const [today] = (await service.call('GET', `${base}/analytics/overview`)).slice(-1);
    expect(rows.at(-1)!.split(/\s+/).slice(-3).map(Number)).toEqual([4, today.shipped, 1]);
    await figures.locator('canvas').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  });

  test('keeps the number of days in the address, and survives a reload', async () => {
    const { slug } = await shopWithOrders();
    const { page, context } = await service.open(browser, service.operatorKey, `/s/${slug}/overview`);
    await page.getByLabel('Show the last').selectOption('7');
    await message(page, 'In 7 days:').waitFor();
    expect(page.url()).toContain('days=7');
    await page.reload();
    await message(page, 'In 7 days:').waitFor();
    await context.close();
  });

  test('shows deliveries to admins only', async () => {
    const { slug } = await shopWithOrders();
    const { page, context } = await service.open(browser, await service.keyOf(slug, 'viewer'), `/s/${slug}/overview`);
    await page.locator('.tally').first().waitFor();
    expect(await page.getByText('Deliveries to your systems').count()).toBe(0);
    await context.close();
  });

  test('of a new shop says what would be here and how to get it', async () => {
    const { slug } = await service.newShop();
    const { page, context } = await service.open(browser, service.operatorKey, `/s/${slug}/overview`);
    await page.getByText('Orders, parcels and claims will be here').waitFor();
    expect(await page.locator('.first-steps').innerText()).toContain(`/v1/shops/${slug}/orders`);
    expect(await axeFaults(page)).toEqual([]);
    await context.close();
  });

  test('says what failed, with the id of the request, and tries again', async () => {
    const { slug } = await service.newShop();
    const { page, context } = await service.open(browser, service.operatorKey, '/shops');
    const address = `**/v1/shops/${slug}/statistics*`;
    await page.route(address, (route) =>
      route.fulfill({
        status: 500,
        headers: { 'x-correlation-id': 'correlation-of-the-test' },
        json: { key: 'internal_error', message: 'Something went wrong.', type: 'api_error', errors: [] },
      }),
    );
    await page.goto(`${service.url}/console/s/${slug}/overview`);
    await page.getByText('The figures of the shop could not be read.').waitFor();
    expect(await page.getByRole('alert').innerText()).toContain('correlation-of-the-test');
    expect(await axeFaults(page)).toEqual([]);
    await page.unroute(address);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Orders, parcels and claims will be here').waitFor();
    await context.close();
  });
});
