import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { integrationIds } from '#schemas/catalogues/integrations.ts';
import { clientOf } from '#test/e2e/kit/client.ts';
import { Stacks } from '#test/e2e/kit/local-stack.ts';
import { assembly, superAdmin } from '#test/e2e/kit/shared-stack.ts';
import { secrets } from '#test/e2e/kit/shops-tour.ts';
import { setProvider } from '#test/e2e/kit/tracking-providers-tour.ts';
import { fakeProviders } from '#test/kit/providers/index.ts';

function filesOf(folder: string): Map<string, Buffer> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(entries.map(({ parentPath, name }) => [name, contentOf(join(parentPath, name))]));
}

/** The service replaces some files by new ones, which have another name for a moment. */
function contentOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}

function filesThatHold(files: Map<string, Buffer>, text: string): string[] {
  const forms = [
    text,
    Buffer.from(text).toString('base64').replace(/=+$/, '').slice(0, -1),
    Buffer.from(text).toString('hex'),
  ];
  return [...files].filter(([, content]) => forms.some((form) => content.includes(form))).map(([name]) => name);
}

test('no secret of a merchant or of the operator is in the data folder in plain text, neither while the service runs nor after', async () => {
  await using stacks = new Stacks();
  const stack = await stacks.start({ ASSEMBLY: assembly });
  const api = clientOf(stack.url);
  const name = 'a-name-that-is-no-secret';
  await api('POST', '/v1/shops', { key: superAdmin, body: { name, slug: 'my-shop' } });
  for (const id of integrationIds) {
    expect((await api('PUT', `/v1/shops/my-shop/keys/${id}`, { key: superAdmin, body: secrets })).status).toBe(200);
  }
  expect((await setProvider(api, superAdmin)).status).toBe(200);
  const { body } = await api('POST', '/v1/shops/my-shop/api-keys', { key: superAdmin, body: {} });
  expect((await api('GET', '/v1/shops/my-shop', { key: `my-shop:${body.secret}` })).status).toBe(200);

  const config = await api('GET', '/v1/shops/my-shop/shop-system/webhook-config', { key: superAdmin });
  expect(config.status).toBe(200);

  const whileRunning = filesOf(stack.dataDir);
  await stack.stop();
  for (const files of [whileRunning, filesOf(stack.dataDir)]) {
    expect(filesThatHold(files, name)).not.toEqual([]);
    for (const secret of [
      ...Object.values(secrets),
      fakeProviders.aftership.apiKey,
      fakeProviders.aftership.webhookSecret,
      body.secret,
      config.body.webhook_secret,
      superAdmin.split(':')[1]!,
    ]) {
      expect(filesThatHold(files, secret), secret).toEqual([]);
    }
  }
});
