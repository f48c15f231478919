import { beforeAll, describe, test } from 'vitest';
import { expectInvalid } from '#test/e2e/kit/errors.ts';
import { api, newShop, superAdmin } from '#test/e2e/kit/shared-stack.ts';

/** Every request that sets an address for us to call, and the field that holds it. */
const requests = [
  ['PATCH', '', 'shop_admin_url', (url: string) => ({ shop_admin_url: url })],
  ['PATCH', '/settings/triggers/integration_3', 'rest_endpoint', (url: string) => ({ rest_endpoint: url })],
  ['POST', '/webhooks', 'url', (url: string) => ({ url })],
  [
    'POST',
    '/automations',
    'actions.0.params.url',
    (url: string) => ({
      name: 'A',
      trigger: { event_group: 'claim_created' },
      actions: [{ type: 'webhook', params: { url } }],
    }),
  ],
] as const;

describe.each(requests)('%s S%s', (method, path, field, bodyWith) => {
  let slug: string;
  beforeAll(async () => {
    slug = await newShop();
  });

  test.each([
    'http://10.0.0.1/',
    'http://192.168.1.1/',
    'http://169.254.169.254/latest/meta-data',
    'https://[fd00::1]/',
    'https://metadata.google.internal/',
    'http://0127.0.0.1/',
    'http://0x7f.1/',
    'http://2130706433/',
    'http://127.1/',
    'http://1.2.3.4./',
    'http://[::ffff:7f00:1]/',
  ])('refuses %s on the local stack too', async (url) => {
    const answer = await api(method, `/v1/shops/${slug}${path}`, { key: superAdmin, body: bodyWith(url) });
    expectInvalid(answer, [`body.${field}`, 'value_error']);
  });
});
