import { AwsError } from './aws-error.ts';

/**
 * fauxqs knows message groups on FIFO queues only. On a standard queue, where they make it fair, the group of a message
 * travels as an attribute that nobody else sees.
 */
export const groupAttribute = 'local-message-group';

interface Entry {
  MessageGroupId?: string;
  MessageAttributes?: Record<string, unknown>;
}

/** The request as the emulator is to get it. */
export function withGroups(operation: string, body: Record<string, unknown>): Record<string, unknown> {
  if (String(body.QueueUrl).endsWith('.fifo')) return body;
  if (operation === 'SendMessage') return withGroup(body);
  if (operation !== 'SendMessageBatch' || !Array.isArray(body.Entries)) return body;
  return { ...body, Entries: body.Entries.map(withGroup) };
}

function withGroup<T extends Entry>(entry: T): T {
  const { MessageGroupId, ...rest } = entry;
  if (typeof MessageGroupId !== 'string') return entry;
  if (!validGroup.test(MessageGroupId)) throw new AwsError('InvalidParameterValue', `MessageGroupId ${limits}`);
  const group = { DataType: 'String', StringValue: MessageGroupId };
  return { ...rest, MessageAttributes: { ...entry.MessageAttributes, [groupAttribute]: group } } as unknown as T;
}

/** Letters, digits and punctuation of ASCII, no spaces. */
const validGroup = /^[!-~]{1,128}$/;
const limits = 'can only include alphanumeric and punctuation characters. 1 to 128 in length.';
