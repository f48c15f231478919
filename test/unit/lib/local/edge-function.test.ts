import { expect, test } from 'vitest';
import { edgeFunction } from '#lib/local/gateway/edge-function.ts';

const request = {
  method: 'GET',
  path: '/a',
  query: 'x=1&y=%20',
  headers: { accept: 'text/html', cookie: 'secret=1' },
  viewer: '203.0.113.7',
};

test('a function sees method, path, query and headers in the shape of CloudFront', () => {
  const see = edgeFunction(
    'function handler(event) { event.request.uri = JSON.stringify(event.request); return event.request; }',
  );
  expect(JSON.parse((see(request) as { path: string }).path)).toEqual({
    method: 'GET',
    uri: '/a',
    querystring: { x: { value: '1' }, y: { value: ' ' } },
    headers: { accept: { value: 'text/html' } },
    cookies: {},
  });
});

test('a function may set headers, and knows the addresses of its distribution and of the caller', () => {
  const change = edgeFunction(`
    function handler(event) {
      event.request.headers['x-domain'] = { value: event.context.distributionDomainName };
      event.request.headers['x-viewer'] = { value: event.viewer.ip };
      return event.request;
    }
  `);
  const headers = { ...request.headers, host: '127.0.0.1:3000', 'x-domain': 'forged' };
  expect(change({ ...request, headers })).toEqual({
    path: '/a',
    headers: { 'x-domain': '127.0.0.1:3000', 'x-viewer': '203.0.113.7' },
  });
});

test('a function may answer itself', () => {
  const answer = edgeFunction(
    "function handler() { return { statusCode: 302, headers: { location: { value: '/b' } }, body: { data: 'gone' } }; }",
  );
  expect(answer(request)).toEqual({ status: 302, headers: { location: '/b' }, body: 'gone' });
});

test('a function has nothing of Node.js, and cannot load for ever', () => {
  const names = edgeFunction(
    'function handler() { return { uri: [typeof process, typeof require, typeof fetch].join() }; }',
  );
  expect(names(request)).toEqual({ path: 'undefined,undefined,undefined', headers: {} });
  expect(() => edgeFunction('for (;;);', 50)).toThrow('timed out');
});
