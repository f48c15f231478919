import { BatchGetCommand, type BatchGetCommandInput } from '@aws-sdk/lib-dynamodb';
import type { SQSRecord } from 'aws-lambda';
import { firstMessageOf, payloadItem } from '#domain/deliveries/delivery-messages.ts';
import { deliverBatch } from '#pipeline/delivery/handler.ts';
import type { Ports } from '#pipeline/delivery/job.ts';
import { createPost, signatureHeaders } from '#pipeline/delivery/post.ts';
import { chunks } from '#platform/batches.ts';
import { table } from '#platform/table/client.ts';
import { compressed, newDeliveries } from './queued-deliveries.ts';

/**
 * Deliveries per second of the function alone, batch after batch, with a table that answers at once: what is ours of
 * the time, without that of the emulators.
 */
export async function functionAlone(url: string, count: number): Promise<number> {
  const deliveries = newDeliveries('bench', 'endpoint', count);
  const items = deliveries.map((delivery) => payloadItem(delivery, { body: compressed }));
  const restore = answerAtOnce(new Map(items.map((item) => [`${item.pk} ${item.sk}`, item])));
  const records = deliveries.map((delivery, i) => recordOf(JSON.stringify(firstMessageOf(delivery)), String(i)));
  const ports = portsTo(url);
  try {
    const start = performance.now();
    for (const batch of chunks(records, 10)) {
      const { again } = await deliverBatch(batch, ports, () => 60_000);
      if (again.size > 0) throw new Error(`Not delivered: ${[...again.values()]}`);
    }
    return count / ((performance.now() - start) / 1000);
  } finally {
    restore();
  }
}

const nothing = async () => {};

function portsTo(url: string): Ports {
  const secrets = ['a-secret-of-the-bench'];
  return {
    post: createPost({ allowLocal: true }),
    destinationOf: async () => ({
      url,
      headersFor: async (id, body, now) => signatureHeaders({ id, body, secrets, now }),
    }),
    circuit: { isOpen: async () => false, recordAbandoned: nothing, recordSuccess: nothing, recordFailure: nothing },
    sendToVendor: async () => [],
    sendMail: async () => ({ error: 'no_sender', isFinal: true }),
    pace: { takeTurns: async () => ({ waitSeconds: 0, hasTurn: true }), postpone: nothing },
    hide: nothing,
    sendLater: nothing,
    now: () => new Date(),
    random: Math.random,
  };
}

function answerAtOnce(items: ReadonlyMap<string, object>): () => void {
  const { send } = table;
  process.env.TABLE_NAME ??= 'table';
  const answer = async (command: unknown) => (command instanceof BatchGetCommand ? found(items, command.input) : {});
  Object.assign(table, { send: answer });
  return () => void Object.assign(table, { send });
}

function found(items: ReadonlyMap<string, object>, { RequestItems }: BatchGetCommandInput) {
  const [[name, { Keys = [] }]] = Object.entries(RequestItems!) as [[string, { Keys?: Record<string, string>[] }]];
  return { Responses: { [name]: Keys.flatMap(({ pk, sk }) => items.get(`${pk} ${sk}`) ?? []) } };
}

function recordOf(body: string, messageId: string): SQSRecord {
  return { messageId, receiptHandle: messageId, body, attributes: { ApproximateReceiveCount: '1' } } as SQSRecord;
}
