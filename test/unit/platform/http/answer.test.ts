import { expect, test } from 'vitest';
import { answer } from '#platform/http/answer.ts';
import type { RuntimeOperation } from '#platform/http/request.ts';

const operation = {
  id: 'getTrackingPage',
  method: 'GET',
  path: '/t/{token}',
  paths: ['/t/{token}'],
  role: 'open',
  status: 200,
  mediaType: 'text/html',
  isPage: true,
} as unknown as RuntimeOperation;

test('a page that is too large to send is answered with the page about an error', async () => {
  const headers = { 'Content-Type': 'text/html; charset=utf-8' };
  const { after } = answer(operation, async ({ status }) => ({ content: `<h1>${status}</h1>`, headers }));
  const request = {
    event: {},
    context: { progress: { startedAt: 0, version: '1', language: 'en' } },
    response: { content: 'x'.repeat(7 * 1024 ** 2), headers },
  };
  await after!(request as never);
  expect(request.response).toMatchObject({ statusCode: 413, body: '<h1>413</h1>', headers });
});
