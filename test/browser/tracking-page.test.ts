import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContext, Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { languages } from '#schemas/catalogues/enumerations.ts';
import { type Phase, phases } from '#schemas/catalogues/shipment-events.ts';
import { axeFaults, outlineOf } from './axe.ts';
import { type PageService, type PageShop, sharedPages } from './page-service.ts';
import { sharedChromium } from './shared-stack.ts';

const awful = {
  primary_dark: '#FFFF00',
  primary_light: '#00FF00',
  secondary_dark: '#FF00FF',
  secondary_light: '#00FFFF',
  background: '#FF0000',
  surface: '#FFFF00',
};

let services: PageService;
let browser: Browser;
let shop: PageShop;
const tokens = {} as Record<Phase, string>;

beforeAll(async () => {
  services = await sharedPages();
  browser = await sharedChromium();
  shop = await services.newShop();
  await offers(shop);
  const made = phases.map(async (phase) => [phase, await shop.orderIn({ phase })] as const);
  Object.assign(tokens, Object.fromEntries(await Promise.all(made)));
}, 240_000);

afterAll(async () => {
  await browser?.close();
  await services?.stop();
});

async function offers({ base, call }: PageShop) {
  await call('POST', `${base}/announcements`, { text: 'Our stores are closed on Sunday.', language: 'en' });
  const discount = {
    code: 'THANKS10',
    title: 'Ten percent',
    value: 10,
    value_type: 'percentage',
    type: 'order',
    target_type: 'line_item',
    target_selection: 'all',
  };
  await call('POST', `${base}/discounts`, discount);
  const [{ uuid }] = await call('GET', `${base}/discounts`);
  await call('POST', `${base}/deals`, {
    discount_id: uuid,
    title: 'Ten percent for you',
    cta_url: 'https://shop.example/ten',
  });
  await call('POST', `${base}/campaigns`, {
    name: 'Autumn rain',
    segment: 'all',
    promotion_type: 'basic',
    enabled: true,
    promotion_properties: {
      title: 'Stay dry',
      subtitle: 'Rain trousers that go with your jacket',
      cta_label: 'Have a look',
      cta_url: 'https://shop.example/rain?size=m',
      image_url: `${services.imageHost}/rain.png`,
      discount_code: 'RAIN10',
    },
  });
}

const pageOf = (token: string, query = '') => `${services.url}/t/${token}${query}`;

/** Runs in a context of its own, so that nothing is shared between pages. */
async function withPage<T>(
  options: Parameters<Browser['newContext']>[0],
  use: (page: Page, context: BrowserContext) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  try {
    return await use(page, context);
  } finally {
    await context.close();
  }
}

const overflowOf = (page: Page) => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');

const phone = { width: 390, height: 844 };
/** The narrowest phone, and large text. */
const narrow: [width: number, percent: number][] = [
  [320, 100],
  [640, 200],
];
const longWords = ['hu', 'fi', 'gr', 'de'];

async function expectToFitNarrow(page: Page, what: string): Promise<void> {
  for (const [width, percent] of narrow) {
    await page.setViewportSize({ width, height: 700 });
    await page.evaluate(`document.documentElement.style.fontSize = '${percent}%'`);
    expect(await overflowOf(page), `${what} at ${width} pixels with text of ${percent} %`).toBeLessThanOrEqual(0);
  }
  await page.setViewportSize(phone);
}

/**
 * Shows pages side by side in frames, as the service serves them: one after the other, each navigation would have to be
 * waited for. A page lays itself out in a frame as in a window of its width.
 */
async function showInFrames(page: Page, paths: readonly string[]): Promise<Frame[]> {
  const empty = `${services.url}/frames`;
  if (page.url() !== empty) {
    const body = '<!doctype html><link rel="icon" href="data:,"><body>';
    await page.route(empty, (route) => route.fulfill({ contentType: 'text/html', body }));
    await page.goto(empty);
    await page.unrouteAll();
  }
  await page.evaluate(`(async () => {
    document.body.replaceChildren();
    await Promise.all(${JSON.stringify(paths)}.map((path) => new Promise((resolve) => {
      const frame = Object.assign(document.createElement('iframe'), { src: path, width: ${phone.width}, height: ${phone.height}, onload: resolve });
      frame.style.border = 'none';
      document.body.append(frame);
    })));
  })()`);
  return paths.map((path) => page.frames().find((frame) => frame.url() === services.url + path)!);
}

/** By how many pixels each page is wider than its frame, if the frame is as wide and the text as large as that. */
const overflowsOfFrames = (page: Page, width: number, percent: number) =>
  page.evaluate<number[]>(`[...document.querySelectorAll('iframe')].map((frame) => {
    const root = frame.contentDocument.documentElement;
    frame.width = ${width};
    root.style.fontSize = '${percent}%';
    return root.scrollWidth - frame.contentWindow.innerWidth;
  })`);

describe('axe finds nothing of WCAG 2.2 AA', () => {
  /** Only English has an announcement. Otherwise languages differ in nothing but their words. */
  const shared = '*:not(#announcements, #announcements *)';
  const outlines: Partial<Record<Phase, string[]>> = {};

  const desk = { width: 1280, height: 720 };

  // A colour that fades into the other one is neither.
  test('on the pages of all phases, on a phone in the light and at a desk in the dark', async () => {
    await withPage({ reducedMotion: 'reduce' }, async (page) => {
      for (const phase of phases) {
        await page.setViewportSize(phone);
        await page.emulateMedia({ colorScheme: 'light' });
        await page.goto(pageOf(tokens[phase], '?lang=en'));
        expect(await axeFaults(page), phase).toEqual([]);
        expect(await overflowOf(page), phase).toBeLessThanOrEqual(0);
        outlines[phase] = await outlineOf(page, shared);
        await page.setViewportSize(desk);
        await page.emulateMedia({ colorScheme: 'dark' });
        expect(await axeFaults(page), `${phase}, dark`).toEqual([]);
      }
    });
  }, 120_000);

  describe('in every language', () => {
    let context: BrowserContext;
    let framed: Page;
    let whole: Page;
    beforeAll(async () => {
      context = await browser.newContext({ viewport: phone });
      [framed, whole] = await Promise.all([context.newPage(), context.newPage()]);
    });
    afterAll(() => context?.close());

    test.each(languages.filter((language) => language !== 'en'))(
      'on a page in the language %s, whose pages have the elements of the English ones and fit on a phone',
      async (language) => {
        const paths = phases.map((phase) => `/t/${tokens[phase]}?lang=${language}`);
        const frames = await showInFrames(framed, paths);
        const outlinesHere = await Promise.all(frames.map((frame) => outlineOf(frame, shared)));
        expect(Object.fromEntries(phases.map((phase, i) => [phase, outlinesHere[i]]))).toEqual(outlines);
        const sizes: typeof narrow = [[phone.width, 100], ...(longWords.includes(language) ? narrow : [])];
        for (const [width, percent] of sizes) {
          const overflows = await overflowsOfFrames(framed, width, percent);
          expect(
            phases.filter((_, i) => overflows[i]! > 0),
            `${width} pixels, text of ${percent} %`,
          ).toEqual([]);
        }
        await whole.goto(pageOf(tokens.delivered, `?lang=${language}`));
        expect(await axeFaults(whole)).toEqual([]);
      },
      120_000,
    );
  });

  test('on pages with awful colours, in the light and in the dark', async () => {
    const colourful = await services.newShop({}, awful);
    const token = await colourful.orderIn({ phase: 'collect' });
    await withPage({ reducedMotion: 'reduce', viewport: { width: 1280, height: 900 } }, async (page) => {
      for (const path of [`/t/${token}`, `/t/${token}/claim`, `/lookup/${colourful.slug}`]) {
        await page.goto(services.url + path);
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          expect(await axeFaults(page), `${path}, ${colorScheme}`).toEqual([]);
        }
      }
    });
  });

  test('on the dark forms and the dark page that is not there', async () => {
    await withPage({ colorScheme: 'dark' }, async (page) => {
      for (const path of [`/t/${tokens.delivered}/claim`, `/lookup/${shop.slug}`, '/t/nothing']) {
        await page.goto(services.url + path);
        expect(await axeFaults(page), path).toEqual([]);
      }
    });
  });
});

describe('the tracking page', () => {
  test('answers above the fold of a phone where the parcel is and when it comes', async () => {
    await withPage(
      { viewport: { width: 390, height: 844 }, locale: 'en-GB', timezoneId: 'Europe/Berlin' },
      async (page) => {
        await page.goto(pageOf(tokens.in_transit, '?lang=en'));
        const heading = page.getByRole('heading', { level: 1 });
        // The run may pass midnight.
        expect(await heading.textContent()).toMatch(/tomorrow|today/i);
        expect(await heading.textContent()).toMatch(/10.*12/);
        const box = await heading.boundingBox();
        expect(box!.y + box!.height).toBeLessThan(844);
      },
    );
  });

  test('is whole without JavaScript', async () => {
    await withPage({ javaScriptEnabled: false }, async (page) => {
      await page.goto(pageOf(tokens.collect, '?lang=en'));
      const text = await page.locator('body').innerText();
      for (const part of [
        'Kiosk am Markt',
        'Marktplatz 3',
        '08:00–20:00',
        'Rain jacket Fjord',
        'Stay dry',
        'Ten percent for you',
        'Our stores are closed on Sunday.',
      ])
        expect(text).toContain(part);
    });
  });

  test('sends no request to another origin but for images of the shop', async () => {
    await withPage({}, async (page) => {
      const foreign: string[] = [];
      const complaints: string[] = [];
      page.on('request', (request) => {
        const { origin } = new URL(request.url());
        const isImage = origin === services.imageHost && request.resourceType() === 'image';
        if (origin !== new URL(services.url).origin && !isImage) foreign.push(request.url());
      });
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
      const paths = phases.map((phase) => `/t/${tokens[phase]}`);
      const frames = await showInFrames(page, paths);
      await Promise.all(frames.map((frame) => frame.waitForLoadState('networkidle')));
      expect(foreign).toEqual([]);
      expect(complaints).toEqual([]);
    });
  }, 60_000);

  test('has 20 KB at most with its styles and its script, for one parcel with ten events, in one request', async () => {
    await withPage({}, async (page) => {
      const own: string[] = [];
      page.on('request', (request) => {
        if (request.url().startsWith(services.url)) own.push(request.url());
      });
      const response = await page.goto(pageOf(tokens.in_delivery), { waitUntil: 'networkidle' });
      expect((await shop.facts(tokens.in_delivery)).parcels[0].events).toHaveLength(10);
      expect(gzipSync(await response!.body()).length).toBeLessThan(20 * 1024);
      expect(own.filter((url) => !url.endsWith('/favicon.ico'))).toHaveLength(1);
    });
  });

  test('does not shift while it loads', async () => {
    await withPage({ viewport: { width: 390, height: 844 } }, async (page) => {
      await page.addInitScript(
        'window.shift = 0; new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.shift += entry.value; }).observe({ type: "layout-shift", buffered: true });',
      );
      for (const phase of ['collect', 'delivered', 'in_transit'] as const) {
        await page.goto(pageOf(tokens[phase]), { waitUntil: 'networkidle' });
        expect(await page.evaluate('window.shift')).toBe(0);
      }
    });
  });

  test('has forms that do not overflow on a narrow phone or with large text, in the languages with the longest words', async () => {
    await withPage({ viewport: phone }, async (page) => {
      for (const language of longWords) {
        for (const path of [`/t/${tokens.delivered}/claim`, `/lookup/${shop.slug}`]) {
          await page.goto(`${services.url}${path}?lang=${language}`);
          await expectToFitNarrow(page, `${path} ${language}`);
        }
      }
    });
  }, 120_000);

  test('is reached and used by keyboard alone, with a visible focus', async () => {
    await withPage({ viewport: { width: 390, height: 844 } }, async (page) => {
      await page.goto(pageOf(tokens.delivery_failed, '?lang=en'));
      const seen: string[] = [];
      for (let presses = 0; presses < 60; presses++) {
        await page.keyboard.press('Tab');
        const focused = (await page.evaluate(
          '(() => { const e = document.activeElement; if (!e || e === document.body) return ""; const s = getComputedStyle(e); return `${e.textContent.trim()}|${s.outlineStyle !== "none" && parseFloat(s.outlineWidth) > 0}`; })()',
        )) as string;
        if (focused === '') break;
        expect(focused, focused).toMatch(/\|true$/);
        seen.push(focused.split('|')[0]!);
      }
      expect(seen.some((text) => text.includes('Report a problem'))).toBe(true);
      await page.getByRole('link', { name: 'Report a problem' }).first().focus();
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/claim/);
    });
  });

  test('lets the number be copied and shared where the browser can, and has it to read where it cannot', async () => {
    const [{ tracking_number }] = (await shop.facts(tokens.in_transit)).parcels;
    await withPage({ permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
      await page.addInitScript('navigator.share = async (shared) => { window.shared = shared; }');
      await page.goto(pageOf(tokens.in_transit, '?lang=en'));
      await page.getByRole('button', { name: 'Copy' }).click();
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(tracking_number);
      await page.getByRole('button', { name: 'Share' }).click();
      expect(await page.evaluate('window.shared.text')).toContain(tracking_number);
      // The page itself shows more than others need to know.
      expect(await page.evaluate('window.shared.url')).not.toContain(tokens.in_transit);
    });
    await withPage({ javaScriptEnabled: false }, async (page) => {
      await page.goto(pageOf(tokens.in_transit, '?lang=en'));
      await page.getByText(tracking_number, { exact: true }).waitFor();
      expect(await page.getByRole('button', { name: /Copy|Share/ }).count()).toBe(0);
    });
  });

  test('keeps a time with its zone on one line', async () => {
    const token = await shop.orderIn({ phase: 'order_processed', order: { address: { country_code: 'US' } } });
    await withPage({ viewport: { width: 320, height: 700 } }, async (page) => {
      await page.goto(pageOf(token, '?lang=en'));
      const clock = page.locator('.scans time').filter({ hasText: 'UTC' }).first();
      expect((await clock.boundingBox())!.height).toBeLessThan(30);
    });
  });

  test('shows the parcels of a split order one by one', async () => {
    const token = await shop.orderIn({ phase: 'in_delivery', parcels: 2 });
    await withPage({}, async (page) => {
      await page.goto(pageOf(token, '?lang=en'));
      for (const n of [1, 2, 3]) await page.getByRole('heading', { name: `Parcel ${n} of 3` }).waitFor();
    });
  });
});

describe('the form of a claim', () => {
  test.each([true, false])(
    'is filled in by keyboard alone and makes a claim, with JavaScript: %s',
    async (javaScriptEnabled) => {
      const token = await shop.orderIn({ phase: 'delivered' });
      await withPage({ javaScriptEnabled, viewport: { width: 390, height: 844 } }, async (page) => {
        await page.goto(pageOf(token, '?lang=en'));
        await page.getByRole('link', { name: 'Report a problem' }).first().focus();
        await page.keyboard.press('Enter');
        await page.waitForURL(/\/claim/);
        const reason = page.getByLabel('Part of my order is damaged');
        await reason.focus();
        await page.keyboard.press('Space');
        expect(await reason.isChecked()).toBe(true);
        await page.getByRole('textbox').first().focus();
        await page.keyboard.type('The zip is <b>torn</b>.');
        await page
          .locator('input[type=file]')
          .setInputFiles([{ name: 'photo.png', mimeType: 'image/png', buffer: Buffer.from('no picture') }]);
        await page.getByRole('button', { name: 'Send the report' }).focus();
        await page.keyboard.press('Enter');
        // The photo is none: the form comes again with the message and with what was chosen and typed.
        await page.getByText('One of your files is not a picture that we can read.').first().waitFor();
        expect(await page.getByRole('textbox').first().inputValue()).toBe('The zip is <b>torn</b>.');
        expect(await reason.isChecked()).toBe(true);
        // axe itself needs JavaScript.
        if (javaScriptEnabled) expect(await axeFaults(page)).toEqual([]);
        await page.getByRole('checkbox').first().focus();
        await page.keyboard.press('Space');
        await page.getByRole('button', { name: 'Send the report' }).focus();
        await page.keyboard.press('Enter');
        await page.waitForURL((url) => url.pathname === `/t/${token}`);
        await page.getByText('Being checked').first().waitFor();
        // What was reported comes first, and reporting is no longer the main button.
        const sections = await page.locator('main').getByRole('heading').allInnerTexts();
        expect(sections[0]).toBe('What you reported');
        await page.locator('#claims').getByText('The zip is <b>torn</b>.').waitFor();
        const [{ number }] = (await shop.facts(token)).claims;
        await page.locator('#claims').getByText(number, { exact: true }).waitFor();
        expect(await page.locator('a.button:not(.quiet)[href*=claim]').count()).toBe(0);
        if (javaScriptEnabled) expect(await axeFaults(page)).toEqual([]);
      });
      expect((await shop.facts(token)).claims).toMatchObject([{ reason: 'partial_damage', status: 'pending' }]);
    },
  );

  test('takes photos', async () => {
    const token = await shop.orderIn({ phase: 'delivered' });
    const { wholeImages } = await import('#test/kit/images.ts');
    await withPage({ javaScriptEnabled: false }, async (page) => {
      await page.goto(`${pageOf(token)}/claim?lang=en`);
      await page.getByLabel('Everything is damaged').check();
      await page
        .locator('input[type=file]')
        .setInputFiles([{ name: 'photo.png', mimeType: 'image/png', buffer: Buffer.from(wholeImages.png) }]);
      await page.getByRole('textbox').first().fill('Look at the photo.');
      await page.getByRole('button', { name: 'Send the report' }).click();
      await page.waitForURL((url) => url.pathname === `/t/${token}`);
    });
    const claims = await shop.call('GET', `${shop.base}/claims?per_page=100`);
    const list = Array.isArray(claims) ? claims : (claims.claims ?? claims.data ?? claims.items);
    expect(JSON.stringify(list)).toContain('Look at the photo.');
  });
});

describe('what a customer says on the page', () => {
  test.each([true, false])('is a message to the shop and a rating, with JavaScript: %s', async (javaScriptEnabled) => {
    const token = await shop.orderIn({ phase: 'delivered' });
    await shop.call('PATCH', `${shop.base}/settings/tracking-page`, { ratings_enabled: true });
    const { tracking_number } = (await shop.facts(token)).parcels[0];
    const claim = await shop.call('POST', `${shop.base}/claims`, { tracking_number, reason: 'damage' });
    await shop.call('POST', `${shop.base}/claims/${claim.uuid}/messages`, { text: 'What exactly is broken?' });
    const { wholeImages } = await import('#test/kit/images.ts');
    await withPage({ javaScriptEnabled, viewport: phone }, async (page) => {
      await page.goto(pageOf(token, '?lang=en'));
      await page.getByText('What exactly is broken?').waitFor();
      await page.getByText('Write to the shop').focus();
      await page.keyboard.press('Enter');
      const text = page.getByLabel('Your message');
      await text.fill('The zip.');
      await page
        .locator('#claims input[type=file]')
        .setInputFiles([{ name: 'photo.png', mimeType: 'image/png', buffer: Buffer.from('no picture') }]);
      await page.getByRole('button', { name: 'Send the message' }).click();
      // The photo is none: the form comes again with the message and with what was typed.
      await page.getByText('One of your files is not a picture that we can read.').first().waitFor();
      expect(await text.inputValue()).toBe('The zip.');
      if (javaScriptEnabled) expect(await axeFaults(page)).toEqual([]);
      await page
        .locator('input[type=file]')
        .setInputFiles([{ name: 'photo.png', mimeType: 'image/png', buffer: Buffer.from(wholeImages.png) }]);
      await page.getByRole('button', { name: 'Send the message' }).click();
      await page.waitForURL((url) => url.pathname === `/t/${token}`);
      await page.getByText('The shop has your message').waitFor();
      await page.locator('#claims').getByText('The zip.').waitFor();
      await page.getByRole('link', { name: 'Photo 1' }).waitFor();
      await page.getByLabel('Stars: 4 of 5').check();
      await page.getByLabel('What would you like to say about it?').fill('Quick.');
      if (javaScriptEnabled) expect(await axeFaults(page)).toEqual([]);
      await page.getByRole('button', { name: 'Send the rating' }).click();
      await page.getByText('Thank you for your rating.').waitFor();
      await page.locator('#ratings').getByText('Quick.').waitFor();
      expect(await page.getByRole('button', { name: 'Send the rating' }).count()).toBe(0);
      if (javaScriptEnabled) expect(await axeFaults(page)).toEqual([]);
    });
  });
});

describe('the page to find an order', () => {
  test('leads to the page of the order, by keyboard and without JavaScript', async () => {
    const order_number = `F-${Date.now()}`;
    await shop.call('PUT', `${shop.base}/orders`, {
      id: order_number,
      order: { email_id: 'Grace@Example.com', address: { zip_code: '10 115' } },
      trackings: [],
    });
    await withPage({ javaScriptEnabled: false }, async (page) => {
      await page.goto(`${services.url}/lookup/${shop.slug}?lang=en`);
      await page.getByLabel('Order number').focus();
      await page.keyboard.type(order_number);
      await page.keyboard.press('Tab');
      await page.keyboard.type('grace@example.org');
      await page.keyboard.press('Enter');
      await page.getByText('We found no order with these details.').waitFor();
      expect(page.url()).not.toContain('grace');
      expect(await page.getByLabel('Order number').inputValue()).toBe(order_number);
      const proof = page.getByLabel('E-mail address or postcode');
      expect(await proof.inputValue()).toBe('grace@example.org');
      await proof.fill('grace@example.com');
      await proof.press('Enter');
      await page.waitForURL(/\/t\//);
      expect(await page.locator('body').innerText()).toContain(order_number);
    });
  });
});

describe('hostile data', () => {
  const hostile = [
    '<script>window.hacked = 1</script>',
    '"><img src=x onerror="window.hacked = 1">',
    "'; window.hacked = 1; //",
    '\u202Eright to left\u2067 and back',
    `${'W'.repeat(3000)} ${'long '.repeat(400)}`,
    '{{7*7}}${7*7}</style></title><svg onload=window.hacked=1>',
  ];

  test.each(hostile.map((text, i) => [i, text] as const))(
    'in every field that is shown runs nothing and keeps the layout (%i)',
    async (_i, text) => {
      const cut = (length: number) => text.slice(0, length);
      const bad = await services.newShop({ name: cut(255), logo_url: 'http://127.0.0.1:9/broken.png' });
      await bad.call('POST', `${bad.base}/announcements`, {
        text: (text + text.repeat(20)).slice(0, 5000),
        language: 'en',
      });
      await bad.call('POST', `${bad.base}/campaigns`, {
        name: cut(255),
        segment: 'all',
        promotion_type: 'product',
        enabled: true,
        promotion_properties: {
          title: cut(500),
          subtitle: cut(1000),
          cta_label: cut(255),
          cta_url: 'https://shop.example/',
          image_url: 'http://127.0.0.1:9/broken.png',
          discount_code: cut(255),
          products: [{ title: cut(500), image_url: 'http://127.0.0.1:9/x.png', product_url: 'https://shop.example/p' }],
        },
      });
      const token = await bad.orderIn({
        phase: 'collect',
        order: {
          products: [
            {
              title: cut(1000),
              variant_title: cut(1000),
              sku: cut(255),
              quantity: 1,
              images: [{ src: 'http://127.0.0.1:9/broken.png', alt: cut(1000) }],
            },
          ],
        },
        updateFields: {
          location: { city: cut(255), country_code: cut(10) },
          timezone: cut(100),
          pickup: {
            type: cut(100),
            name: cut(500),
            address: { street: cut(500), zip_code: cut(50), city: cut(255), company: cut(500) },
            opening_hours: { [cut(100)]: cut(255) },
          },
        },
      });
      await withPage({ viewport: { width: 320, height: 700 } }, async (page) => {
        for (const path of [`/t/${token}?lang=en`, `/t/${token}/claim?lang=en`, `/lookup/${bad.slug}?lang=en`]) {
          await page.goto(services.url + path);
          expect(await overflowOf(page), path).toBeLessThanOrEqual(0);
          expect(await axeFaults(page), path).toEqual([]);
          // Last, because what runs late runs, too.
          expect(await page.evaluate('window.hacked')).toBeUndefined();
        }
      });
    },
    60_000,
  );
});
