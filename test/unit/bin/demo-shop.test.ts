import { afterEach, expect, test, vi } from 'vitest';
import { openService } from '../../../bin/demo/service.ts';
import { makeShop } from '../../../bin/demo/shop.ts';
import { isOnThisMachine } from '../../../bin/local/own-service.ts';

afterEach(() => void vi.unstubAllGlobals());

/** A service that answers so to the question for a shop. It takes every new shop. */
function serviceWith(statusOf: (slug: string) => number) {
  const answer = vi.fn(async (url: string, { method }: RequestInit) => {
    const status = method === 'POST' ? 201 : statusOf(url.split('/').at(-1)!);
    return new Response(JSON.stringify({ message: 'Of the service.' }), { status });
  });
  vi.stubGlobal('fetch', answer);
  return { service: openService('http://service.test', 'a:b'), answer };
}

test('the demo takes the first name that no shop has', async () => {
  const { service } = serviceWith((slug) => (slug === 'demo-shop-3' ? 404 : 200));
  expect((await makeShop(service)).slug).toBe('demo-shop-3');
});

test.each([
  [401, 'The key is wrong'],
  [403, 'answered 403: Of the service.'],
  [429, 'answered 429: Of the service.'],
  [503, 'answered 503: Of the service.'],
])('the demo ends with a clear error if the service answers %s', async (status, said) => {
  const { service, answer } = serviceWith(() => status);
  await expect(makeShop(service)).rejects.toThrow(said);
  expect(answer.mock.calls.length).toBeLessThan(3);
});

test('the demo ends if every name is taken', async () => {
  const { service } = serviceWith(() => 200);
  await expect(makeShop(service)).rejects.toThrow('100 shops of earlier demos');
});

test.each([
  ['http://127.0.0.1:3000', true],
  ['http://localhost:3000', true],
  ['http://[::1]:3000', true],
  ['https://service.example.com', false],
  ['https://127.0.0.1.example.com', false],
  ['http://192.168.0.7:3000', false],
])('whether the demo receives events of %s itself: %s', (url, does) => {
  expect(isOnThisMachine(url)).toBe(does);
});
