import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LocalStack } from '#lib/local/stack.ts';
import { clientOf } from '#test/e2e/kit/client.ts';
import { grantsOf } from '#test/e2e/kit/grants.ts';
import { idleGrants } from '#test/e2e/kit/idle-grants.ts';
import { startInProcess } from '#test/e2e/kit/in-process-stack.ts';
import { superAdmin } from '#test/e2e/kit/local-stack.ts';
import { assemblyIn } from '#test/kit/assembly.ts';

const folder = mkdtempSync(join(tmpdir(), 'grants-'));
const assembly = await assemblyIn(folder);

const ingest = 'CarrierUpdatesIngest';
const submit = 'TrackingSubmissionSubmit';
const streamAction = /^dynamodb:(DescribeStream|GetRecords|GetShardIterator|ListStreams)$/;

/** Without these the mapping itself is refused, which the tests of the local stack cover. */
const grants = grantsOf(assembly).filter(
  ({ policy, action }) => (policy.startsWith(ingest) || policy.startsWith(submit)) && !streamAction.test(action),
);

let stack: LocalStack & AsyncDisposable;
beforeAll(async () => {
  stack = await startInProcess(assembly);
  await fulfil(stack);
  stack.usage.start();
});
afterAll(async () => {
  await stack.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('the grants of the functions behind the API', () => {
  test('are sufficient', async () => {
    expect(await stack.invoke(ingest, updates())).toEqual({ batchItemFailures: [] });
    expect(await stack.invoke(submit, requests)).toEqual({ batchItemFailures: [] });
    expect(stack.logs(ingest).join()).toContain('"recorded":1');
    expect(stack.logs(submit).join()).toContain('"submitted":1');
  });

  test('are all needed', () => {
    expect(grants).not.toEqual([]);
    expect(idleGrants(stack, grants)).toEqual([]);
  });
});

const slug = 'blue';
const number = 'NUMBER-1';

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

/** Another event each time, because a repeated one would not be written. */
let minute = 0;
function updates() {
  const event_time = new Date(Date.UTC(2026, 10, 2, 8, minute++)).toISOString();
  const update = { tracking_number: number, event_name: 'PICKUP_SUCCESSFUL', event_time };
  return { Records: [{ messageId: 'm', body: JSON.stringify(update) }] };
}

const parcels = [{ shipment_id: 's', tracking_number: number, carrier_reference: null }];
const item = marshall({ kind: 'tracking_request', shop_slug: slug, parcels });
const requests = { Records: [{ eventName: 'INSERT', dynamodb: { SequenceNumber: '1', NewImage: item } }] };
