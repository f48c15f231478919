import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wholeImages } from '#test/kit/images.ts';
import { upload } from '#test/kit/multipart.ts';
import { axeFaults } from './axe.ts';
import { sharedConsole } from './console-service.ts';
import { sharedChromium } from './shared-stack.ts';

/** What support does in the console, on the real local stack. */

let browser: Browser;
const service = sharedConsole();
let slug: string;
let base: string;
let key: string;
const keyName = 'Mara in support';

const hostile = '<script>window.ran=1</script><img src=x onerror="window.ran=1">';

beforeAll(async () => {
  browser = await sharedChromium();
  ({ slug, base } = await service.newShop());
  const { secret } = await service.call('POST', `${base}/api-keys`, { role: 'editor', name: keyName });
  key = `${slug}:${secret}`;
});

afterAll(async () => {
  await browser?.close();
});

const placed = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

/** Makes an order with one parcel, and returns its uuid. */
async function orderOf(id: string, fields: object = {}, tracking = `T-${id}`): Promise<string> {
  const order = { order_placed_at: placed(2), address: { name: 'Mara Lindqvist', zip_code: '20095' }, ...fields };
  await service.call('PUT', `${base}/orders`, { id, order, trackings: [{ tracking_number: tracking }] });
  const [found] = await service.call('GET', `${base}/orders?order_number=${encodeURIComponent(id)}`);
  return found.uuid;
}

const claimOf = async (tracking_number: string, fields: object = {}): Promise<string> =>
  (await service.call('POST', `${base}/claims`, { tracking_number, reason: 'damage', ...fields })).uuid;

const openView = (path: string, options?: object) => service.open(browser, key, `/s/${slug}${path}`, options);

/** What filters cannot show whole when it is chosen. The arrow of a select is about 20 pixels wide. */
const cutChoices = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('.filters select')].flatMap((select) => {
    const style = getComputedStyle(select);
    const pen = document.createElement('canvas').getContext('2d');
    pen.font = style.font;
    const room = select.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - 20;
    return [...select.options].map(({ text }) => text).filter((text) => pen.measureText(text).width > room);
  })`);

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });

describe('the search', () => {
  test('opens an order at once that a tracking number names, and its timeline can be read', async () => {
    const uuid = await orderOf('2001', {}, 'TRACK 2001');
    await service.call('POST', `${base}/shipment-events`, { id: 'TRACK 2001', event_name: 'OUT_FOR_DELIVERY' });
    const { page, faults } = await openView('/orders');
    await heading(page, 'Orders').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('track2001');
    await page.keyboard.press('Enter');
    await heading(page, 'Order 2001 · Mara Lindqvist').waitFor();
    expect(new URL(page.url()).pathname).toBe(`/console/s/${slug}/orders/${uuid}`);
    const timeline = page.getByRole('region', { name: 'What happened' }).or(page.locator('.timeline'));
    await timeline.first().waitFor();
    const entries = await page.locator('.timeline .entry').allInnerTexts();
    expect(entries.join('\n')).toMatch(/Out for delivery[\s\S]*Order 2001 was placed/);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('lists several orders of a customer, newest first, and says how to go on if there is none', async () => {
    await orderOf('2002', { order_placed_at: placed(9), address: { name: 'Åsa Söderström' } });
    await orderOf('2003', { order_placed_at: placed(1), address: { name: 'Nils Soderstrom' } });
    const { page, faults } = await openView('/search?q=soeders');
    await page.getByRole('link', { name: 'Order 2003' }).waitFor();
    expect(await page.locator('[data-row]').allInnerTexts()).toEqual(['Order 2003', 'Order 2002']);
    await page.goto(`${service.url}/console/s/${slug}/search?q=nobody`);
    await page.getByText('Nothing was found for “nobody”').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});

describe('an order', () => {
  test('gets an event and a claim with the keyboard alone', async () => {
    const products = [
      { title: 'Wool socks', sku: 'SOCKS', quantity: 2, price: 9.5 },
      { title: 'Rain jacket', sku: 'JACKET', price: 125.97 },
    ];
    const uuid = await orderOf('2004', { products, currency: 'EUR' });
    const { page, faults } = await openView(`/orders/${uuid}`);
    await page.getByRole('button', { name: 'Add an event' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Add an event' });
    await dialog.getByLabel('What happened').focus();
    await dialog.getByLabel('What happened').selectOption('SUCCESSFULLY_DELIVERED');
    await dialog.getByRole('button', { name: 'Add an event' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('The event was added.').waitFor();
    await page.locator('.parcel').getByText('Delivered', { exact: true }).waitFor();
    await expectFocus(page, 'Add an event');

    await page.getByRole('button', { name: 'Open a claim' }).press('Enter');
    const claim = page.getByRole('dialog', { name: 'Open a claim' });
    await claim.getByLabel('Reason').selectOption('missing_product');
    await claim.getByLabel('In the customer’s words').fill('The socks are missing.');
    await claim.getByLabel(/Wool socks/).press('Space');
    const buffer = Buffer.from(wholeImages.png);
    await claim.getByLabel('Photos').setInputFiles({ name: 'box.png', mimeType: 'image/png', buffer });
    await claim.getByRole('button', { name: 'Remove box.png' }).waitFor();
    await claim.getByRole('button', { name: 'Open a claim' }).press('Enter');
    await page.getByText('The claim was opened.').waitFor();
    await page.getByText('Claim (product missing): opened').waitFor();
    await page.getByRole('link', { name: 'Product missing', exact: true }).click();
    await page.getByAltText('Photo 1 of the claim').waitFor();
    await page.getByText('€19.00').waitFor();
    await page.getByText(`by ${keyName}`).waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('shows the customer’s journey first, and what systems were told when it is chosen', async () => {
    const uuid = await orderOf('2010', {}, '00340434161094042557');
    await service.call('POST', `${base}/shipment-events`, {
      id: '00340434161094042557',
      event_name: 'OUT_FOR_DELIVERY',
    });
    const { page } = await openView(`/orders/${uuid}`, { locale: 'de-DE' });
    const parcel = page.locator('.parcel');
    await parcel.getByText('DHL Paket').waitFor();
    await parcel.getByRole('link', { name: 'Beim Zusteller öffnen' }).waitFor();
    await parcel.getByText('Letzter Scan').waitFor();
    await parcel.getByText(/Ihr Paket|Ihrem Paket/).waitFor();
    const entries = page.locator('.timeline .entry');
    await entries.filter({ hasText: 'Bestellung 2010 wurde aufgegeben' }).waitFor();
    expect(await entries.filter({ hasText: 'kam dazu' }).count()).toBe(0);
    await page.getByLabel('Zeigen').selectOption({ label: 'Alles' });
    await entries.filter({ hasText: 'Paket 00340434161094042557 kam dazu' }).waitFor();
    expect(new URL(page.url()).searchParams.get('kind')).toBe('everything');
    await page.context().close();
  });

  test('is found by its state, its carrier and its problem, which the address keeps', async () => {
    await orderOf('2011', { address: { name: 'Rosa Fischer' } }, '1Z999AA10123456784');
    await service.call('POST', `${base}/shipment-events`, { id: '1Z999AA10123456784', event_name: 'SHIPMENT_LOST' });
    const { page } = await openView('/orders');
    await page.getByLabel('Problem').selectOption('lost');
    await page.getByRole('row', { name: /2011/ }).waitFor();
    await page.getByLabel('Carrier', { exact: true }).selectOption({ label: 'UPS' });
    await page.getByRole('row', { name: /2011.*Rosa Fischer.*UPS/ }).waitFor();
    expect(await page.locator('tbody tr').count()).toBe(1);
    await expect
      .poll(() => page.getByLabel('Problem').locator('option:checked').textContent(), { timeout: 10_000 })
      .toBe('Lost (1)');
    expect(await cutChoices(page)).toEqual([]);
    await page.goto(`${service.url}/console/s/${slug}/orders?phase=collect`);
    await page.getByText('No order matches these filters').waitFor();
    await page.context().close();
  });

  test('keeps what was typed when the service refuses it, and says why', async () => {
    const uuid = await orderOf('2005');
    const { page } = await openView(`/orders/${uuid}`);
    await page.getByRole('button', { name: 'Open a claim' }).click();
    const dialog = page.getByRole('dialog', { name: 'Open a claim' });
    await dialog.getByLabel('In the customer’s words').fill('Typed before the failure.');
    await dialog.getByRole('button', { name: 'Open a claim' }).click();
    await dialog.getByText('The claim was not opened.').waitFor();
    await dialog.getByText('Choose one of the values that are offered.').first().waitFor();
    expect(await dialog.getByLabel('In the customer’s words').inputValue()).toBe('Typed before the failure.');
    await page.context().close();
  });

  test('offers a viewer nothing that changes it', async () => {
    const uuid = await orderOf('2006');
    const viewer = await service.keyOf(slug, 'viewer');
    const { page } = await service.open(browser, viewer, `/s/${slug}/orders/${uuid}`);
    await heading(page, /Order 2006/).waitFor();
    await page.locator('.timeline').first().waitFor();
    expect(await page.getByRole('button', { name: 'Add an event' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Open a claim' }).count()).toBe(0);
    await page.context().close();
  });
});

describe('a claim', () => {
  test('is moved on the board with a comment, and the focus goes with it', async () => {
    await orderOf('2007');
    const uuid = await claimOf('T-2007');
    const { page, faults } = await openView('/claims?reason=damage');
    const card = page.locator(`#claim-${uuid}`);
    await card.getByRole('button', { name: /^Accept/ }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Change the claim of order 2007' });
    await dialog.getByLabel('Comment').fill('The photo shows it.');
    await dialog.getByRole('button', { name: 'Save' }).press('Enter');
    await page
      .getByRole('region', { name: /Accepted/ })
      .locator(`#claim-${uuid}`)
      .waitFor();
    await dialog.waitFor({ state: 'hidden' });
    await expect
      .poll(() => page.evaluate('document.activeElement.closest("li")?.id'), { timeout: 20_000 })
      .toBe(`claim-${uuid}`);
    const [entry] = await service.call('GET', `${base}/claims/${uuid}/history`);
    expect(entry).toMatchObject({ comment: 'The photo shows it.', changes: [{ field: 'status', to: 'accepted' }] });
    expect(new URL(page.url()).search).toBe('?reason=damage');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('that somebody else changed meanwhile is not overwritten silently', async () => {
    await orderOf('2008');
    const uuid = await claimOf('T-2008');
    const { page } = await openView(`/claims/${uuid}`);
    await page.getByLabel('Comment').fill('Mine.');
    await service.call('PUT', `${base}/claims/${uuid}`, { status: 'rejected' });
    await page.getByLabel('Status').selectOption('accepted');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Somebody else saved a change while you were typing.').waitFor();
    expect(await page.getByLabel('Comment').inputValue()).toBe('Mine.');
    expect((await service.call('GET', `${base}/claims/${uuid}`)).status).toBe('rejected');
    await page.context().close();
  });

  test('shows its photos, which the policy of the page allows', async () => {
    await orderOf('2009');
    const { body, headers } = upload('claim', wholeImages.jpeg, 'photo.jpg');
    const image = await service.api('POST', `${base}/images`, { key, body, headers });
    expect(image.status, image.text).toBe(200);
    const uuid = await claimOf('T-2009', { image_urls: [image.body.url] });
    const { page, faults } = await openView(`/claims/${uuid}`);
    const photo = page.getByRole('img', { name: 'Photo 1 of the claim' });
    await photo.waitFor();
    await expect
      .poll(() => photo.evaluate((element) => (element as unknown as { naturalWidth: number }).naturalWidth), {
        timeout: 20_000,
      })
      .toBeGreaterThan(0);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});

test('hostile data of an order run nothing and stay within the page, and axe finds nothing, in every view', async () => {
  const long = 'Ω'.repeat(200);
  const fields = {
    address: { name: `${hostile} ${long}`, city: 'שלום', address_line_1: hostile },
    email_id: '"><script>window.ran=1</script>@example.com',
    products: [{ title: hostile, sku: long }],
    segments: [hostile],
  };
  const uuid = await orderOf(`9${hostile}`, fields, 'T-HOSTILE');
  const claim = await claimOf('T-HOSTILE', { description: hostile, selected_items: [{ title: hostile, sku: long }] });
  await service.call('PUT', `${base}/claims/${claim}`, { comment: hostile });
  const paths = ['/orders', `/orders/${uuid}`, `/search?q=${encodeURIComponent(long)}`, '/claims', `/claims/${claim}`];
  for (const width of [1280, 390]) {
    const { page, faults } = await openView('/orders', { viewport: { width, height: 900 } });
    for (const path of paths) {
      await service.visit(page, `/s/${slug}${path}`);
      await page.locator('.loaded').first().waitFor();
      await service.settled(page);
      expect(await page.evaluate('window.ran'), path).toBeUndefined();
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect(overflow, `${path} at ${width}`).toBeLessThanOrEqual(0);
      expect(await axeFaults(page), `${path} at ${width}`).toEqual([]);
    }
    expect(faults).toEqual([]);
    await page.context().close();
  }
});

async function expectFocus(page: Page, name: string): Promise<void> {
  await expect.poll(() => page.evaluate('document.activeElement.textContent'), { timeout: 20_000 }).toContain(name);
}
