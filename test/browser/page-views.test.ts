import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { trackingView } from '#api/pages/views/tracking-view.ts';
import type { RawResponse } from '#platform/http/request.ts';
import { contextIn, sampleFacts } from '#test/kit/page-samples.ts';
import { pageShots } from '#test/kit/page-shots.ts';
import { axeFaults } from './axe.ts';
import { sharedChromium } from './shared-stack.ts';

/** The pages as browsers get them, with their headers: a policy that forbids their own style or script would show. */
let served: () => Promise<RawResponse> | RawResponse;
let server: Server;
let url: string;
let browser: Browser;

beforeAll(async () => {
  server = createServer(async (_, response) => {
    const { status = 200, headers, content } = await served();
    response.writeHead(status, headers).end(content);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/t/token`;
  browser = await sharedChromium();
});
afterAll(async () => {
  await browser?.close();
  server?.close();
});

let page: Page;
let complaints: string[];
afterEach(() => page?.context().close());

/** A page whose images fail to load: the shop's host is none of this machine. */
async function newPage(options: BrowserContextOptions = {}): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, ...options });
  page = await context.newPage();
  complaints = [];
  page.on(
    'console',
    (message) => message.text().includes('Content Security Policy') && complaints.push(message.text()),
  );
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.route(
    (address) => address.hostname !== '127.0.0.1',
    (route) => route.abort(),
  );
}

async function open(response: RawResponse): Promise<void> {
  served = () => response;
  await page.goto(url);
}

const overflow = () =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');

const others = Object.entries(pageShots).filter(([name]) => !/^((en|de|el)|predicted-(de|fr|pl|el|hu))-/.test(name));

test('the other pages are accessible too, in the light and in the dark, also with an awful palette', async () => {
  // A colour that fades into the other one is neither.
  await newPage({ reducedMotion: 'reduce' });
  for (const [name, render] of others) {
    await open(await render());
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await axeFaults(page), `${name}, ${colorScheme}`).toEqual([]);
    }
  }
  expect(complaints).toEqual([]);
});

test('nothing overflows at 320 pixels', async () => {
  await newPage({ viewport: { width: 320, height: 640 } });
  for (const [name, render] of Object.entries(pageShots)) {
    await open(await render());
    await page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })");
    expect(await overflow(), name).toBeLessThanOrEqual(0);
  }
});

test('without JavaScript the page can be read and unfolded with the keyboard alone', async () => {
  await newPage({ javaScriptEnabled: false });
  await open(await pageShots.full!());
  await page.getByText('Read all').focus();
  await page.keyboard.press('Enter');
  expect(await page.locator('details[open]').count()).toBe(1);
  await page.keyboard.press('Tab');
  expect(await page.locator(':focus').count()).toBe(1);
});

test('a page with news replaces its content after a minute, and keeps what was unfolded and the focus', async () => {
  await newPage();
  await page.clock.install();
  const facts = await sampleFacts({ eventName: 'ARRIVED_AT_SORTING_CENTER' });
  const long = { announcements: [{ text: 'A long story. '.repeat(200) }] };
  const context = await contextIn('en');
  await open(trackingView({ ...facts, ...long }, context));
  await page.getByText('Read all').focus();
  await page.keyboard.press('Enter');
  const next = trackingView({ ...(await sampleFacts({ eventName: 'OUT_FOR_DELIVERY' })), ...long }, context);
  served = () => next;
  await page.clock.fastForward(61_000);
  await page.getByRole('heading', { level: 1, name: 'Arrives today' }).waitFor();
  expect(await page.locator('details[open]').count()).toBe(1);
  expect(await page.locator(':focus').textContent()).toBe('Read all');
  expect(complaints).toEqual([]);
});

test('a page does not replace what somebody types, and replaces it when nobody does', async () => {
  await newPage();
  await page.clock.install();
  await open(await pageShots.talk!());
  await page.getByText('Write to the shop').click();
  await page.getByLabel('Your message').fill('Half a sent');
  await page.getByRole('heading', { level: 1 }).click();
  const next = trackingView(await sampleFacts({ eventName: 'ARRIVED_AT_SORTING_CENTER' }), await contextIn('en'));
  served = () => next;
  await page.clock.fastForward(61_000);
  await page.waitForTimeout(300);
  expect(await page.getByLabel('Your message').inputValue()).toBe('Half a sent');
  await page.getByLabel('Your message').fill('');
  await page.getByRole('heading', { level: 1 }).click();
  await page.clock.fastForward(61_000);
  await expect.poll(() => page.getByText('Write to the shop').count(), { timeout: 20_000 }).toBe(0);
  expect(complaints).toEqual([]);
});

test('photos are made smaller before they are sent', async () => {
  await newPage();
  await open(await pageShots.claim!());
  const photo = await page.evaluate<string>(`(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 2000, height: 120 });
    const context = canvas.getContext('2d');
    const noise = context.createImageData(canvas.width, canvas.height);
    let random = 1;
    noise.data.forEach((_, i) => {
      random = (random * 16807) % 2147483647;
      noise.data[i] = i % 4 === 3 ? 255 : random % 256;
    });
    context.putImageData(noise, 0, 0);
    return canvas.toDataURL('image/png').split(',')[1];
  })()`);
  const buffer = Buffer.from(photo, 'base64');
  await page.getByLabel('Photos').setInputFiles({ name: 'big.png', mimeType: 'image/png', buffer });
  const type = "document.querySelector('input[type=file]').files[0].type";
  await expect.poll(() => page.evaluate(type), { timeout: 20_000 }).toBe('image/jpeg');
  const { size, width } = await page.evaluate<{ size: number; width: number }>(`(async () => {
    const [file] = document.querySelector('input[type=file]').files;
    return { size: file.size, width: (await createImageBitmap(file)).width };
  })()`);
  expect(size).toBeLessThan(buffer.length);
  expect(width).toBe(1600);
});
