import { account, region } from '../template/physical-names.ts';
import type { Access } from './evaluate.ts';

// In AWS the permission of the single call includes the batch call.
const singleCall: Record<string, string> = {
  SendMessageBatch: 'SendMessage',
  DeleteMessageBatch: 'DeleteMessage',
  ChangeMessageVisibilityBatch: 'ChangeMessageVisibility',
};

/** The permissions that an SQS request needs. */
export function sqsAccesses(operation: string, body: Record<string, unknown>): Access[] {
  const name = typeof body.QueueUrl === 'string' ? body.QueueUrl.split('/').at(-1) : body.QueueName;
  return [
    {
      action: `sqs:${singleCall[operation] ?? operation}`,
      resource: typeof name === 'string' ? `arn:aws:sqs:${region}:${account}:${name}` : '*',
      context: {},
    },
  ];
}
