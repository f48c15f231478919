import { account, region } from '../template/physical-names.ts';
import type { Access } from './evaluate.ts';

// AWS grants the batch calls through the action of the single call.
const single: Record<string, string> = {
  SendMessageBatch: 'SendMessage',
  DeleteMessageBatch: 'DeleteMessage',
  ChangeMessageVisibilityBatch: 'ChangeMessageVisibility',
};

/** What an SQS request asks permission for. */
export function sqsAccesses(operation: string, body: Record<string, unknown>): Access[] {
  const name = typeof body.QueueUrl === 'string' ? body.QueueUrl.split('/').at(-1) : body.QueueName;
  return [
    {
      action: `sqs:${single[operation] ?? operation}`,
      resource: typeof name === 'string' ? `arn:aws:sqs:${region}:${account}:${name}` : '*',
      context: {},
    },
  ];
}
