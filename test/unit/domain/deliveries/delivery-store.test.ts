import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, test } from 'vitest';
import { listDeliveries } from '#domain/deliveries/delivery-store.ts';
import { keyOf } from '#platform/table/keys.ts';
import { dynamo } from '#test/kit/table.ts';

beforeEach(() => dynamo.reset());

test('a list with few matches among many deliveries stops after one request and says where to continue', async () => {
  let request = 0;
  dynamo.on(QueryCommand).callsFake(() => ({
    Items: [],
    LastEvaluatedKey: keyOf.delivery('blue', 'one', `id-${++request}`),
  }));
  const list = await listDeliveries('blue', 'one', { limit: 5, status: 'failed' });
  expect(list).toEqual({ deliveries: [], next: 'id-1' });
  await listDeliveries('blue', 'one', { limit: 5, status: 'failed', before: list.next });
  const begins = dynamo.commandCalls(QueryCommand)[1]!.args[0].input.ExclusiveStartKey;
  expect(begins).toEqual(keyOf.delivery('blue', 'one', 'id-1'));
});
