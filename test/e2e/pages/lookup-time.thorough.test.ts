import { expect, test } from 'vitest';
import { pageLimits } from '#schemas/catalogues/limits.ts';
import { newMerchant } from '#test/e2e/kit/orders.ts';
import { browse, type Page, sendFields } from '#test/e2e/kit/page-forms.ts';
import { url } from '#test/e2e/kit/shared-stack.ts';

const triesOfShop = pageLimits.lookups / 2;

interface Try {
  page: Page;
  ms: number;
}

/** Half of the tries that one address has at a shop are for its order, and half for one that is not there. */
async function triesAtNewShop(): Promise<{ wrong: Try[]; unknown: Try[] }> {
  const shop = await newMerchant();
  const { order_number } = await shop.order({ email_id: 'ada@example.com', address: { zip_code: '10115' } });
  const form = `${url}/lookup/${shop.slug}`;
  await browse(form); // makes the view of the storefront
  const tried = async (number: string): Promise<Try> => {
    const startedAt = performance.now();
    const page = await sendFields(form, { order_number: number, email_or_postcode: 'eve@example.com' });
    return { page, ms: performance.now() - startedAt };
  };
  // As long as the other: the page says again what was typed.
  const unknownNumber = `X${order_number.slice(1)}`;
  const [wrong, unknown]: [Try[], Try[]] = [[], []];
  for (let i = 0; i < triesOfShop; i++) {
    // Whichever comes first may take longer.
    if (i % 2) unknown.push(await tried(unknownNumber));
    wrong.push(await tried(order_number));
    if (i % 2 === 0) unknown.push(await tried(unknownNumber));
  }
  return { wrong, unknown };
}

/** What was typed stands in the fields again, and the page is compressed with it. */
const shown = ({ page: { status, headers, text } }: Try) => {
  const { date: _date, 'x-correlation-id': _id, ...rest } = Object.fromEntries(headers);
  const { 'x-amzn-requestid': _request, 'content-length': _length, ...others } = rest;
  return JSON.stringify({ status, headers: others, text: text.replaceAll(/ value="[^"]*"/g, '') });
};

/** Answers come some quarters of a second after the request: unit tests hold that both read the same, and wait until the same one. */
const stepMs = 250;
/** A timer may be a little early. */
const toleranceMs = 5;

test('wrong tries and those for unknown orders cannot be told apart by page or headers, and none is answered early', async () => {
  const shops = await Promise.all(Array.from({ length: 8 }, triesAtNewShop));
  const wrong = shops.flatMap((shop) => shop.wrong);
  const unknown = shops.flatMap((shop) => shop.unknown);
  expect(wrong.every(({ page }) => page.status === 404)).toBe(true);
  // Each shop has other tries, but all shops have the same name.
  expect(new Set([...wrong, ...unknown].map(shown)).size).toBe(1);
  expect(Math.min(...[...wrong, ...unknown].map(({ ms }) => ms))).toBeGreaterThan(stepMs - toleranceMs);
}, 120_000);
