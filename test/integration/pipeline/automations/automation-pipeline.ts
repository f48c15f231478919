import { DecryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Context, DynamoDBStreamEvent, SQSEvent } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { vi } from 'vitest';
import type { AutomationRecord } from '#domain/automations/model.ts';
import type { AutomationRun } from '#domain/automations/run.ts';
import { handler as act } from '#pipeline/automation-runs/handler.ts';
import { handler as processDue } from '#pipeline/due/handler.ts';
import { keyOf } from '#platform/table/keys.ts';
import { storedAutomation } from '#test/kit/automations.ts';
import { handler as fanOut } from '#test/kit/fan-out.ts';
import { type Item, memoryTable } from '#test/kit/memory-table.ts';
import { context, queuedMessage } from '#test/kit/queue-messages.ts';

const runQueue = 'https://runs';
const deliveryQueue = 'https://deliveries';
const givenUpQueue = 'https://given-up';
const deadLetters = 'arn:aws:sqs:us-east-1:123456789012:dead';

/** The secret of every automation here. */
export const secret = 'whsec_of_the_automation';

/** The functions around automations on a real table, with a fixed clock; the test moves records and messages by hand. */
export function startAutomationPipeline() {
  const sqs = mockClient(SQSClient);
  const kms = mockClient(KMSClient);
  kms.on(DecryptCommand).resolves({ Plaintext: Buffer.from(secret) });
  Object.assign(process.env, {
    DELIVERY_QUEUE_URL: deliveryQueue,
    ALLOW_LOCAL_TARGETS: 'true',
    AUTOMATION_RUN_QUEUE_URL: runQueue,
    RUN_DEAD_LETTERS_ARN: deadLetters,
    GIVEN_UP_RUNS_QUEUE_URL: givenUpQueue,
    PAYLOAD_BUCKET: 'payloads',
  });
  const seen = new Set<string>();

  const nameOf = ({ pk, sk }: Item) => `${pk} ${sk}`;

  const pipeline = {
    sqs,
    reset(now: string): void {
      memoryTable.renew();
      vi.useFakeTimers({ toFake: ['Date'], now: new Date(now) });
      sqs.reset();
      sqs.on(SendMessageBatchCommand).resolves({});
      seen.clear();
      memoryTable.put({ ...keyOf.shop('blue'), slug: 'blue', uuid: 'shop-blue', language: 'en' });
    },
    addAutomation: (automation: AutomationRecord) => memoryTable.put(storedAutomation(automation)),
    /** The messages of the runs that were given up. */
    givenUp: () =>
      sqs
        .commandCalls(SendMessageBatchCommand, { QueueUrl: givenUpQueue })
        .flatMap(({ args }) => args[0].input.Entries!.map(({ MessageBody }) => MessageBody!)),
    runs: () => memoryTable.all('AUTOMATIONRUNS#') as unknown as AutomationRun[],
    deliveries: () => memoryTable.all('DELIVERIES#').filter(({ sk }) => sk.startsWith('DELIVERY#')),

    /** Passes new events and runs to fan-out. */
    async stream({ again = false } = {}): Promise<string[]> {
      const items = [
        ...memoryTable.all('OUTBOX#'),
        ...memoryTable.all('AUTOMATIONRUNS#').filter(({ kind }) => kind === 'run'),
      ];
      const events = items.filter((item) => again || !seen.has(nameOf(item)));
      for (const event of events) seen.add(nameOf(event));
      const Records = events.map((event, i) => ({
        eventName: 'INSERT',
        dynamodb: { SequenceNumber: String(i), NewImage: marshall(event, { removeUndefinedValues: true }) },
      }));
      const { batchItemFailures } = await fanOut({ Records } as DynamoDBStreamEvent);
      return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
    },

    /** Empties both queues and returns the bodies of one, by default of the runs. */
    queued(queue = runQueue): string[] {
      const calls = sqs.commandCalls(SendMessageBatchCommand).map(({ args }) => args[0].input);
      sqs.resetHistory();
      return calls
        .filter(({ QueueUrl }) => QueueUrl === queue)
        .flatMap(({ Entries = [] }) => Entries.map(({ MessageBody }) => MessageBody!));
    },

    /** Sends the queued deliveries to their receivers. */
    async deliver(): Promise<number> {
      await pipeline.stream();
      // The module decides at its load whether it may call this machine.
      const { handler } = await import('#pipeline/delivery/handler.ts');
      const Records = pipeline.queued(deliveryQueue).map((body, i) => ({
        messageId: String(i),
        receiptHandle: String(i),
        body,
        attributes: { ApproximateReceiveCount: '1' },
      }));
      const context = { getRemainingTimeInMillis: () => 60_000 } as Context;
      const { batchItemFailures } = await handler({ Records } as unknown as SQSEvent, context);
      return Records.length - batchItemFailures.length;
    },

    /** Moves events, and then their runs, to the queue. */
    async begun(): Promise<string[]> {
      await pipeline.stream();
      await pipeline.stream();
      return pipeline.queued();
    },

    async act(bodies: string[], eventSourceARN = 'arn:runs'): Promise<number> {
      const Records = bodies.map((body, i) => ({ ...queuedMessage(String(i), body), eventSourceARN }));
      return (await act({ Records }, context)).batchItemFailures.length;
    },
    giveUp: (bodies: string[]) => pipeline.act(bodies, deadLetters),

    /** Moves records and messages until none are left. */
    async settle(): Promise<void> {
      for (let round = 0; round < 10; round++) {
        const bodies = await pipeline.begun();
        if (bodies.length === 0) return;
        await pipeline.act(bodies);
      }
      throw new Error('It never comes to rest.');
    },

    async later(minutes: number): Promise<void> {
      vi.setSystemTime(Date.now() + minutes * 60_000);
      await processDue({}, { getRemainingTimeInMillis: () => 60_000 } as never);
    },

    stop: () => void vi.useRealTimers(),
  };
  return pipeline;
}
