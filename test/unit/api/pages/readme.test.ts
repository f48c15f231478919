import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { factsOf, holdsShop, pageOfOrder, shopCall } from '#test/kit/page-shop.ts';

const readme = readFileSync(new URL('../../../../functions/api/pages/README.md', import.meta.url), 'utf8');
const [, page] = /```html\n([\s\S]*?)```/.exec(readme)!;
const [, script] = /<script type="module">\n([\s\S]*?)<\/script>/.exec(page!)!;

interface Element {
  textContent: string;
  children: Element[];
  append: (child: Element) => void;
}

function element(): Element {
  const children: Element[] = [];
  return { textContent: '', children, append: (child) => void children.push(child) };
}

/** Runs the script of functions/api/pages/README.md on its elements, with the service behind `fetch`. */
async function shown(token: string) {
  const ids = [...page!.matchAll(/id="(\w+)"/g)].map(([, id]) => id!);
  const elements: Record<string, Element> = Object.fromEntries(ids.map((id) => [id, element()]));
  vi.stubGlobal('location', { search: `?token=${token}` });
  vi.stubGlobal('document', { getElementById: (id: string) => elements[id], createElement: element });
  vi.stubGlobal('fetch', async (address: string) => {
    const { pathname, searchParams } = new URL(address);
    const asked = pathname.replace('/v1/tracking/', '');
    const { status, body } = await factsOf(asked, { query: Object.fromEntries(searchParams) });
    return { ok: status === 200, json: async () => body };
  });
  await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(script!)}//${token}`);
  return elements;
}

beforeEach(() => holdsShop());
afterEach(() => vi.unstubAllGlobals());

test('the page of the README has about twenty lines, and shows texts as texts', () => {
  expect(page!.trim().split('\n').length).toBeLessThanOrEqual(20);
  expect(page).not.toMatch(/innerHTML|insertAdjacentHTML|document\.write/);
});

test('the page of the README shows the state of a parcel and its events', async () => {
  const token = await pageOfOrder('1001', {}, '00340434161094042557');
  const [{ trackings }] = await shopCall('orders', 'GET', '/orders', { query: { order_number: '1001' } });
  await shopCall('events', 'POST', '/shipments/{shipment_id}/events', {
    params: { shipment_id: trackings[0].uuid },
    body: { event_name: 'OUT_FOR_DELIVERY', time: '2026-11-16T06:00:00Z' },
  });
  const { status, arrival, events } = await shown(token);
  const { parcels } = (await factsOf(token)).body;
  expect(status!.textContent).toBe(parcels[0].event_strings.header_title);
  expect(arrival!.textContent).toBe(''); // nobody said when it comes
  expect(events!.children.map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('Out for delivery'),
    expect.stringContaining('Order ready to ship'),
  ]);
});

test('the page of the README says so when nobody knows the parcel', async () => {
  const { status, events } = await shown('AAAAAAAAAAAAAAAAAAAAAA');
  expect(status!.textContent).toBe('We do not know this parcel.');
  expect(events!.children).toEqual([]);
});
