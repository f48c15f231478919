import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { LocalStack } from '#lib/local/stack.ts';
import { enclosureLimits } from '#schemas/catalogues/limits.ts';
import { clientOf } from '#test/e2e/kit/client.ts';
import { grantsOf } from '#test/e2e/kit/grants.ts';
import { idleGrants } from '#test/e2e/kit/idle-grants.ts';
import { startInProcess } from '#test/e2e/kit/in-process-stack.ts';
import { superAdmin } from '#test/e2e/kit/local-stack.ts';
import { setProvider } from '#test/e2e/kit/tracking-providers-tour.ts';
import { assemblyIn } from '#test/kit/assembly.ts';
import { type RunningProvider, startFakeProvider } from '#test/kit/providers/fake-provider.ts';
import { fakeProviders } from '#test/kit/providers/index.ts';
import { batchOf } from '#test/kit/queue-messages.ts';

const folder = mkdtempSync(join(tmpdir(), 'grants-'));
const assembly = await assemblyIn(folder);

const ingest = 'CarrierUpdatesIngest';
const register = 'TrackingSubmissionRegister';
const streamAction = /^dynamodb:(DescribeStream|GetRecords|GetShardIterator|ListStreams)$/;

/** Without these the mapping itself is refused, which the tests of the local stack cover. */
const grants = grantsOf(assembly).filter(
  ({ policy, action }) => [ingest, register].some((name) => policy.startsWith(name)) && !streamAction.test(action),
);

let stack: LocalStack & AsyncDisposable;
let provider: RunningProvider;
beforeAll(async () => {
  provider = await startFakeProvider(fakeProviders.aftership);
  stack = await startInProcess(assembly, { ALLOW_LOCAL_TARGETS: 'true' });
  await fulfil(stack);
  stack.usage.start();
});
afterAll(async () => {
  await stack.stop();
  await provider.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('the grants of the functions behind the API', () => {
  test('are sufficient', async () => {
    expect(await stack.invoke(ingest, updates())).toEqual({ batchItemFailures: [] });
    expect(stack.logs(ingest).join()).toContain(`"recorded":${history.length}`);
    const api = clientOf(stack.url);
    expect((await setProvider(api, superAdmin, { base_url: provider.url })).status).toBe(200);
    for (const shipment_updates of [false, true]) {
      const path = `/v1/shops/${slug}/settings/carriers`;
      expect((await api('PATCH', path, { key: superAdmin, body: { shipment_updates } })).status).toBe(200);
    }
    await vi.waitFor(async () => {
      const query = { order_number: 'order' };
      const { body } = await api('GET', `/v1/shops/${slug}/orders`, { key: superAdmin, query });
      expect(body[0].trackings[0].tracking_submission).toMatchObject({ provider: 'aftership', status: 'submitted' });
    }, 20_000);
    expect([...provider.registered]).toEqual([number]);
  });

  test('are all needed', () => {
    expect(grants).not.toEqual([]);
    expect(idleGrants(stack, grants)).toEqual([]);
  });
});

const slug = 'blue';
const number = 'NUMBER1';

async function fulfil(stack: LocalStack): Promise<void> {
  const api = clientOf(stack.url);
  const shop = { name: slug, slug, settings: { carriers_enabled: true } };
  const order = { id: 'order', order: {}, trackings: [{ tracking_number: number }] };
  const answers = [
    await api('POST', '/v1/shops', { key: superAdmin, body: shop }),
    await api('PUT', `/v1/shops/${slug}/orders`, { key: superAdmin, body: order }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
}

/** More events than the item of the parcel takes. */
const history = Array.from({ length: enclosureLimits.events + 1 }, (_, minute) => ({
  event_name: 'PICKUP_SUCCESSFUL',
  event_time: new Date(Date.UTC(2026, 10, 2, 8, minute)).toISOString(),
}));

const updates = () => batchOf([{ tracking_number: number, events: history }]);
