import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { textsPage } from '#lib/texts-page/texts-page.ts';
import { languages } from '#schemas/catalogues/enumerations.ts';
import { sharedChromium } from './shared-stack.ts';

let folder: string;
let url: string;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'texts-'));
  writeFileSync(join(folder, 'texts.html'), textsPage());
  url = pathToFileURL(join(folder, 'texts.html')).href;
  browser = await sharedChromium();
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});
beforeEach(async () => {
  page = await browser.newPage();
  page.setDefaultTimeout(40_000);
});

const rows = () => page.locator('tbody tr');

test('the page of texts shows every language side by side for the event in its address', async () => {
  await page.goto(`${url}#SHIPMENT_LOST`);
  expect(await rows().count()).toBe(languages.length);
  expect(await rows().filter({ hasText: 'German' }).textContent()).toContain('verloren');
  expect(await page.getByRole('status').textContent()).toBe('Phase delivery_failed');
});

test('the page of texts shows the texts of an event on a return beside those on an order', async () => {
  await page.goto(`${url}#returns/ORDER_CREATED`);
  expect(await rows().filter({ hasText: 'German' }).textContent()).toContain('Retoure angemeldet');
  expect(await page.getByRole('status').textContent()).toBe('On a return');
});

test('the page of texts shows a phase that a reviewer types, with its header texts only', async () => {
  await page.goto(url);
  await page.getByLabel('Event or phase').fill('in_transit');
  await page.getByRole('columnheader', { name: 'header_title' }).waitFor();
  expect(await page.getByRole('columnheader', { name: 'list_label' }).count()).toBe(0);
});

test('the page of texts shows a text of the pages with all forms of its plural', async () => {
  await page.goto(`${url}#pages/timeline.more`);
  expect(await rows().filter({ hasText: 'Polish' }).textContent()).toContain('krok / Pokaż jeszcze {count} kroki / ');
  expect(await page.getByRole('status').textContent()).toBe('A text of the pages');
});

test('the page of texts moves to the next event by keyboard', async () => {
  await page.goto(url);
  const first = await page.getByLabel('Event or phase').inputValue();
  await page.getByRole('button', { name: 'Next' }).press('Enter');
  expect(await page.getByLabel('Event or phase').inputValue()).not.toBe(first);
});

test('the page of texts is readable on a phone', async () => {
  await page.setViewportSize({ width: 375, height: 800 });
  await page.goto(`${url}#SUCCESSFULLY_DELIVERED`);
  expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
});
