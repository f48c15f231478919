import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, test } from 'vitest';
import type { PageContext } from '#api/pages/views/view.ts';
import type { RawResponse } from '#platform/http/request.ts';
import { pageShots } from '#test/kit/page-shots.ts';
import { sharedChromium } from './shared-stack.ts';

/**
 * Pictures of the pages, for people to look at: `SCREENSHOTS=<folder> npx vitest run --project browser screenshots`.
 * `SHOTS=<part of a name>` takes only some.
 */
const folder = process.env.SCREENSHOTS;
const wanted = process.env.SHOTS ?? '';

const sizes = { phone: { width: 390, height: 844 }, desk: { width: 1280, height: 900 } };
const themes = ['light', 'dark'] as const satisfies PageContext['theme'][];

describe.runIf(folder)('pictures of the pages', () => {
  let browser: Browser;
  beforeAll(async () => {
    mkdirSync(resolve(folder!), { recursive: true });
    browser = await sharedChromium();
  });
  afterAll(() => browser?.close());

  test('are taken in both themes on a phone and on a desk', async () => {
    for (const [size, viewport] of Object.entries(sizes)) {
      const page = await browser.newPage({ viewport });
      await page.route('**/*', (route) => route.abort());
      for (const theme of themes) {
        await page.emulateMedia({ colorScheme: theme });
        for (const [name, render] of Object.entries(pageShots)) {
          const file = `${name}-${size}-${theme}`;
          if (!file.includes(wanted)) continue;
          await show(page, await render());
          await page.screenshot({ path: join(folder!, `${file}.png`), fullPage: true });
        }
      }
      await page.close();
    }
  }, 600_000);
});

const show = (page: Awaited<ReturnType<Browser['newPage']>>, { content }: RawResponse) => page.setContent(content);
