import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { expect, test } from 'vitest';
import type { BacklogMessage, RegistrationMessage } from '#domain/tracking-providers/registration-queue.ts';
import { submitPage } from '#pipeline/tracking-registration/backlog.ts';
import { keyOf } from '#platform/table/keys.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { shopItems } from '#test/kit/parcels.ts';
import { writtenAs } from '#test/kit/spread-shipments.ts';
import { tableWith } from '#test/kit/table.ts';
import { parcelsUnderWay, provider } from '#test/kit/tracking-providers.ts';

process.env.REGISTRATION_QUEUE_URL = 'https://registrations';
process.env.TRACKING_REQUESTS_QUEUE_URL = 'https://requests';

const now = new Date('2026-11-14T12:00:00.000Z');
const sqs = mockClient(SQSClient);

test.each([
  ['a provider', 'in one list', [provider('ship24')]],
  ['a provider', 'in shards', [provider('ship24')]],
  ['the queue of tracking requests', 'half of them in shards', []],
] as const)('2,000 parcels under way are queued for %s, each once, if they are %s', async (_, spread, providers) => {
  const numbers = Array.from({ length: 2000 }, (_, i) => `N${i}`);
  const carriers = { shipment_updates: true, generation: 1 };
  tableWith(...shopItems('blue', true), { ...keyOf.settings('blue'), version: 1, carriers });
  for (let from = 0; from < numbers.length; from += 500) {
    const at = new Date(now.getTime() - from);
    const some = numbers.slice(from, from + 500);
    memoryTable.put(...writtenAs(spread, from / 500, () => parcelsUnderWay('blue', some, at)));
  }
  const queue: RegistrationMessage[] = [];
  const queued: string[] = [];
  sqs.reset();
  sqs.on(SendMessageBatchCommand).callsFake(({ Entries }) => {
    const messages = Entries.map(({ MessageBody }: { MessageBody: string }) => JSON.parse(MessageBody));
    for (const message of messages) {
      if ('backlog' in message) queue.push(message);
      else queued.push(message.tracking_number);
    }
    return {};
  });
  queue.push({ shop_slug: 'blue', backlog: { generation: 1, since: '2026-08-16T12:00:00.000Z' } });
  let pages = 0;
  for (let page = queue.shift(); page; page = queue.shift()) {
    await submitPage(page as BacklogMessage, providers, now);
    pages++;
  }
  expect(pages).toBeLessThanOrEqual(21);
  expect(queued.toSorted()).toEqual(numbers.toSorted());
});
