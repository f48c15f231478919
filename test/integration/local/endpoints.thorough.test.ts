import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildApp } from 'fauxqs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readConfiguration } from '#lib/local/configuration.ts';
import { startDynamoDbEmulator } from '#lib/local/dynamodb/emulator.ts';
import { startDynamoDb } from '#lib/local/dynamodb/server.ts';
import { startLocalStack } from '#lib/local/stack.ts';
import { clientOf } from '#test/e2e/kit/client.ts';
import { type EventReceiver, startEventReceiver } from '#test/kit/event-receiver.ts';
import { wholeImages } from '#test/kit/images.ts';
import { upload } from '#test/kit/multipart.ts';
import { startService } from '#test/kit/service.ts';
import { newWebhookShop } from '#test/kit/webhook-shop.ts';

/** The local stack uses the emulators that a variable names. All tests of e2e run on its own. */

const variables = ['AWS_ENDPOINT_URL_DYNAMODB', 'AWS_ENDPOINT_URL_SQS', 'AWS_ENDPOINT_URL_S3'] as const;
type Variable = (typeof variables)[number];

let receiver: EventReceiver;
beforeAll(async () => {
  receiver = await startEventReceiver();
});
afterAll(() => receiver?.stop());

const starts: Record<Variable, () => Promise<{ address: string; stop(): Promise<void> }>> = {
  AWS_ENDPOINT_URL_DYNAMODB: async () => {
    const { endpoint, stop } = await startDynamoDb({ file: ':memory:' });
    return { address: endpoint, stop };
  },
  AWS_ENDPOINT_URL_SQS: async () => fauxqs(),
  AWS_ENDPOINT_URL_S3: async () => fauxqs(),
};

async function fauxqs() {
  const app = buildApp({ logger: false });
  return { address: await app.listen({ port: 0, host: '127.0.0.1' }), stop: () => app.close() };
}

/** Places an order of a shop with a webhook and stores an image, on a stack with these variables. */
async function orderAndImage(env: Record<string, string>, path: string): Promise<void> {
  const { others } = readConfiguration(env);
  const service = await startService({ others, environment: { ALLOW_LOCAL_TARGETS: 'true' } });
  try {
    const api = clientOf(service.stack.url);
    const key = `${service.operator.username}:${service.operator.secret}`;
    const shop = await newWebhookShop(api, key);
    const { secret } = await shop.addEndpoint(receiver.urlOf(path));
    const [number] = await shop.fulfil();
    await vi.waitFor(() => expect(receiver.received(path)).toHaveLength(1), { timeout: 25_000 });
    const { headers, body } = receiver.received(path)[0]!;
    const [, time, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['service-signature']))!;
    expect(createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')).toBe(signature);
    expect(body).toContain(number);

    const stored = await api('POST', `/v1/shops/${shop.slug}/images`, { key, ...upload('product', wholeImages.jpeg) });
    expect((await fetch(stored.body.url)).status).toBe(200);
  } finally {
    await service.stop();
  }
}

describe('an order with a webhook and an image are processed', () => {
  test.each(variables)('on the emulator that %s names, and on its own emulators for the rest', async (variable) => {
    const other = await starts[variable]();
    try {
      await orderAndImage({ [variable]: other.address }, `/${variable}`);
    } finally {
      await other.stop();
    }
  });

  test('on other emulators only', async () => {
    const others = await Promise.all(variables.map(async (variable) => ({ variable, ...(await starts[variable]()) })));
    try {
      const env = Object.fromEntries(others.map(({ variable, address }) => [variable, address]));
      await orderAndImage(env, '/others');
    } finally {
      for (const { stop } of others) await stop();
    }
  });
});

test.each([
  ['linux', 'x64'],
  ['linux', 'arm64'],
  ['darwin', 'x64'],
  ['darwin', 'arm64'],
])('the local stack uses its own DynamoDB engine on %s %s', async (platform, arch) => {
  const { platform: ours, arch: our } = process;
  Object.defineProperties(process, { platform: { value: platform }, arch: { value: arch } });
  try {
    const { inProcess, stop } = await startDynamoDbEmulator(undefined);
    expect(inProcess).toBeDefined();
    await stop();
  } finally {
    Object.defineProperties(process, { platform: { value: ours }, arch: { value: our } });
  }
});

describe('the address of another emulator', () => {
  test.each(variables)('must be valid in %s', (variable) => {
    for (const wrong of ['localhost:8000', 'ftp://127.0.0.1', 'http://127.0.0.1:8000/path']) {
      expect(() => readConfiguration({ [variable]: wrong })).toThrow(`${variable} must be an address`);
    }
    expect(readConfiguration({ [variable]: '' }).others).toEqual({});
  });

  test.each(variables)('must be reachable in %s', async (variable) => {
    const { address, stop } = await starts[variable]();
    await stop();
    const { others } = readConfiguration({ [variable]: address });
    const folder = mkdtempSync(join(tmpdir(), 'local-endpoints-'));
    const started = startLocalStack({ assembly: process.env.TEST_ASSEMBLY!, port: 0, dataDir: folder, others });
    await expect(started).rejects.toThrow(`Nothing answers at ${address}, the address in ${variable}.`);
    rmSync(folder, { recursive: true });
  });
});
