import { expect, test } from 'vitest';
import { clientOf } from '#test/e2e/kit/client.ts';
import { expectError } from '#test/e2e/kit/errors.ts';
import { startInProcess } from '#test/e2e/kit/in-process-stack.ts';
import { assembly, superAdmin } from '#test/e2e/kit/shared-stack.ts';

/** Also a slow machine sends more than one request a second. */
const rate = { unitsPerSecond: 1, burst: 40, uncounted: 2 };

test('a shop above its rate gets 429 and changes nothing, while other shops are served', async () => {
  await using stack = await startInProcess(assembly, { KEY_RATE: JSON.stringify(rate) });
  const api = clientOf(stack.url);
  const keyOf = async (slug: string) => {
    await api('POST', '/v1/shops', { key: superAdmin, body: { name: slug, slug } });
    const { body } = await api('POST', `/v1/shops/${slug}/api-keys`, { key: superAdmin, body: { role: 'admin' } });
    return `${body.username}:${body.secret}`;
  };
  const [busy, other] = [await keyOf('busy'), await keyOf('other')];
  const putOrder = (slug: string, key: string, id: string) =>
    api('PUT', `/v1/shops/${slug}/orders`, { key, body: { id, order: {}, trackings: [] } });

  const answers: Awaited<ReturnType<typeof putOrder>>[] = [];
  for (let round = 0; round < 20 && !answers.some(({ status }) => status === 429); round++) {
    const ids = Array.from({ length: 20 }, (_, i) => `${round}-${i}`);
    answers.push(...(await Promise.all(ids.map((id) => putOrder('busy', busy, id)))));
  }
  const refused = answers.find(({ status }) => status === 429)!;
  expectError(refused, 429, 'rate_limited');
  const seconds = Number(refused.headers.get('retry-after'));
  expect(seconds).toBeGreaterThanOrEqual(1);
  expect((await putOrder('other', other, '1')).status).toBe(200);

  const accepted = answers.filter(({ status }) => status === 200).length;
  const { body } = await api('GET', '/v1/shops/busy/orders?per_page=100', { key: superAdmin });
  expect(body).toHaveLength(accepted);
});
