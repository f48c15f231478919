import { GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, expect, test } from 'vitest';
import { newOrderId } from '#domain/orders/model.ts';
import { orderItem } from '#domain/orders/order-items.ts';
import { newOrder } from '#domain/orders/order-rules.ts';
import type { LedgerEntry } from '#domain/privacy/ledger.ts';
import type { PrivacyRequest } from '#domain/privacy/request.ts';
import { table } from '#platform/table/client.ts';
import { foundOrdersOf, privacyOf } from '#platform/table/keys.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { shopItem, tableWith } from '#test/kit/table.ts';
import { eraseAgain } from '../../../bin/operator/erase-again.ts';

const now = new Date('2026-11-17T12:00:00Z');
const s3 = new S3Client({});
const bucket = mockClient(s3);
const ledger = new Map<string, LedgerEntry>();

const place = { table, tableName: 'table', s3, ledger: 'ledger' };

function placed(fields: { erased_at?: string } = {}): string {
  const order = { ...newOrder(newOrderId(now), { order_number: `${Math.random()}` }, now), drafts: [], ...fields };
  memoryTable.put(orderItem('blue', order, 1));
  return order.uuid;
}

function wasErased(request: string, ...orders: string[]): void {
  const entry = { shop_slug: 'blue', request, at: now.toISOString(), by: 'somebody', person: [], orders };
  ledger.set(`erasures/blue/${request}.json`, entry);
}

const requests = () =>
  memoryTable.all(privacyOf('blue')).filter(({ sk }) => sk.startsWith('REQUEST#')) as never as PrivacyRequest[];

beforeEach(() => {
  tableWith(shopItem('blue'));
  ledger.clear();
  bucket.reset();
  bucket.on(ListObjectsV2Command).callsFake(({ Prefix }) => ({
    Contents: [...ledger.keys()].filter((Key) => Key.startsWith(Prefix)).map((Key) => ({ Key })),
  }));
  bucket.on(GetObjectCommand).callsFake(({ Key }) => ({
    Body: { transformToString: async () => JSON.stringify(ledger.get(Key)) },
  }));
});

test('asks for the orders that a restored table has and that are not erased, each once', async () => {
  const [back, erased] = [placed(), placed({ erased_at: now.toISOString() })];
  wasErased('first', back, erased, newOrderId(now));
  wasErased('second', back);
  expect(await eraseAgain(place, undefined, now)).toBe(1);
  expect(requests()).toMatchObject([{ requested_by: 'ledger', reference: 'first', step: 'erase', orders: 1 }]);
  expect(memoryTable.all(foundOrdersOf('blue', requests()[0]!.uuid)).map(({ sk }) => sk)).toEqual([`ORDER#${back}`]);
});

test('called again, asks for nothing that is still being erased, and for what has failed', async () => {
  wasErased('first', placed());
  for (let call = 0; call < 3; call++) expect(await eraseAgain(place, 'blue', now)).toBe(1);
  expect(requests()).toHaveLength(1);
  memoryTable.put({ ...requests()[0]!, status: 'failed' });
  await eraseAgain(place, 'blue', now);
  expect(requests().map(({ status }) => status)).toEqual(expect.arrayContaining(['failed', 'running']));
});

test('says so if the ledger knows no such shop', async () => {
  wasErased('first', placed());
  await expect(eraseAgain(place, 'bleu', now)).rejects.toThrow('The ledger has no erasure of a shop bleu.');
});
