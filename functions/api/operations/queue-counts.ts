import { required } from '#platform/environment.ts';
import { sqsClient } from '#platform/queue.ts';
import type { OperationsResponse } from '#schemas/families/operations.ts';

/** The URLs of a queue and of the one where its messages are put aside. */
interface WatchedQueue {
  name: string;
  queue: string;
  failures: string;
}

/** Those with messages that were given up first, then those with the most that waits. */
export async function queueCounts(): Promise<OperationsResponse['queues']> {
  const watched: WatchedQueue[] = JSON.parse(required('WATCHED_QUEUES'));
  const counted = await Promise.all(
    watched.map(async ({ name, queue, failures }) => {
      const [waiting, given_up] = await Promise.all([messagesIn(queue), messagesIn(failures)]);
      return { name, waiting, given_up };
    }),
  );
  return counted.sort((a, b) => b.given_up - a.given_up || b.waiting - a.waiting);
}

/** Those that can be received, those that are held back, and those that are being handled. SQS knows them approximately. */
const countedAttributes = [
  'ApproximateNumberOfMessages',
  'ApproximateNumberOfMessagesDelayed',
  'ApproximateNumberOfMessagesNotVisible',
] as const;

async function messagesIn(QueueUrl: string): Promise<number> {
  const { GetQueueAttributesCommand } = await import('@aws-sdk/client-sqs');
  const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...countedAttributes] });
  const { Attributes = {} } = await (await sqsClient()).send(command);
  return countedAttributes.reduce((sum, name) => sum + Number(Attributes[name] ?? 0), 0);
}
