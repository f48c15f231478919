import { expect, test } from 'vitest';
import { pageLimits } from '#schemas/catalogues/limits.ts';
import { newMerchant } from '#test/e2e/kit/orders.ts';
import { browse, type Page, sendFields } from '#test/e2e/kit/page-forms.ts';
import { url } from '#test/e2e/kit/shared-stack.ts';

const pairs = 200;
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
  const [wrong, unknown]: [Try[], Try[]] = [[], []];
  for (let i = 0; i < triesOfShop; i++) {
    // Whichever comes first may take longer.
    if (i % 2) unknown.push(await tried(`${order_number}0`));
    wrong.push(await tried(order_number));
    if (i % 2 === 0) unknown.push(await tried(`${order_number}0`));
  }
  return { wrong, unknown };
}

const shown = ({ page: { status, headers, text } }: Try) => {
  const { date: _date, 'x-correlation-id': _id, 'x-amzn-requestid': _request, ...others } = Object.fromEntries(headers);
  return JSON.stringify({ status, headers: others, text });
};

const medianOf = (tries: readonly Try[]) => tries.map(({ ms }) => ms).toSorted((a, b) => a - b)[tries.length / 2]!;

/** How far the ranks of one kind are from those of the other, in standard deviations (Mann and Whitney). */
function rankDistance(a: readonly Try[], b: readonly Try[]): number {
  const wins = a.reduce((sum, { ms }) => sum + b.filter((other) => ms > other.ms).length, 0);
  const [n, m] = [a.length, b.length];
  return (wins - (n * m) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12);
}

test('200 wrong tries and 200 for unknown orders cannot be told apart by page, headers or time', async () => {
  const [wrong, unknown]: [Try[], Try[]] = [[], []];
  while (wrong.length < pairs) {
    const shops = await Promise.all(Array.from({ length: 8 }, triesAtNewShop));
    for (const shop of shops) {
      wrong.push(...shop.wrong);
      unknown.push(...shop.unknown);
    }
  }
  expect(wrong.every(({ page }) => page.status === 404)).toBe(true);
  // Each shop has other tries, but all shops have the same name.
  expect(new Set([...wrong, ...unknown].map(shown)).size).toBe(1);
  console.log(
    `medians ${medianOf(wrong).toFixed(1)} and ${medianOf(unknown).toFixed(1)} ms, ${rankDistance(wrong, unknown).toFixed(2)} deviations`,
  );
  expect(Math.abs(medianOf(wrong) - medianOf(unknown))).toBeLessThan(15);
  expect(Math.abs(rankDistance(wrong, unknown))).toBeLessThan(4);
}, 240_000);
