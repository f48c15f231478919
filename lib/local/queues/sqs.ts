import { AwsError } from '../aws/aws-error.ts';
import { account, region } from '../template/physical-names.ts';
import type { MessageAttribute, QueueAttributes, QueuedMessage } from './message.ts';
import { type Choose, md5Of, type NewMessage, Queue } from './queue.ts';
import { noJournal, openQueueJournal } from './queue-journal.ts';

/** SQS with standard queues. Any other operation is refused with its name. */
export interface Sqs {
  /** Runs an operation of SQS's JSON protocol. Throws AwsError. */
  perform(operation: string, input: Record<string, unknown>): Promise<object>;
  /** A queue by its name, for readers in this process. */
  queue(name: string): Queue;
  receive(queue: Queue, choose: Choose, visibilitySeconds?: number): QueuedMessage[];
  stop(): void;
}

type Input = Record<string, unknown>;
type Operation = (input: Input) => object | Promise<object>;

const maxBatch = 10;
const maxDelaySeconds = 900;
const maxVisibilitySeconds = 43_200;
const maxWaitSeconds = 20;

/** @param file the file for the queues, or undefined to keep them in memory */
export function openSqs(file: string | undefined, now: () => number = Date.now): Sqs {
  const journal = file === undefined ? noJournal : openQueueJournal(file);
  const queues = new Map<string, Queue>();
  for (const { name, attributes, messages } of journal.load()) {
    queues.set(name, new Queue(name, arnOf(name), attributes, messages, { journal, now }));
  }

  const queue = (name: string): Queue => {
    const found = queues.get(name);
    if (!found) throw new AwsError('QueueDoesNotExist', 'The specified queue does not exist.');
    return found;
  };
  const queueIn = ({ QueueUrl }: Input): Queue => queue(String(QueueUrl).split('/').at(-1) ?? '');
  const byArn = (arn: string): Queue | undefined => [...queues.values()].find((candidate) => candidate.arn === arn);

  const receive: Sqs['receive'] = (from, choose, visibilitySeconds) => from.receive(choose, byArn, visibilitySeconds);

  const receiveMessage: Operation = async (input) => {
    const from = queueIn(input);
    const max = integerIn(input, 'MaxNumberOfMessages', 1, maxBatch) ?? 1;
    const visibility = integerIn(input, 'VisibilityTimeout', 0, maxVisibilitySeconds);
    const wait = integerIn(input, 'WaitTimeSeconds', 0, maxWaitSeconds);
    const requested = requestedNamesIn(input); // read before a message is hidden
    const end = now() + (wait ?? Number(from.attributes.ReceiveMessageWaitTimeSeconds)) * 1000;
    const takeFirst: Choose = (waiting) => [...waiting].slice(0, max);
    let received = receive(from, takeFirst, visibility);
    while (received.length === 0 && now() < end) {
      await from.arrival((end - now()) / 1000);
      received = receive(from, takeFirst, visibility);
    }
    if (received.length === 0) return {};
    return { Messages: received.map((message) => toReceived(message, requested)) };
  };

  const operations: Record<string, Operation> = {
    CreateQueue: (input) => {
      const name = String(input.QueueName);
      const attributes = attributesIn(input);
      if (!/^[A-Za-z0-9_-]{1,80}$/.test(name)) {
        throw invalid('Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length.');
      }
      if (attributes.FifoQueue) throw unsupported('FIFO queues');
      const existing = queues.get(name);
      if (!existing) {
        journal.saveQueue(name, attributes);
        queues.set(name, new Queue(name, arnOf(name), attributes, [], { journal, now }));
      }
      return { QueueUrl: urlOf(name) };
    },
    GetQueueUrl: ({ QueueName }) => ({ QueueUrl: urlOf(queue(String(QueueName)).name) }),
    ListQueues: ({ QueueNamePrefix = '' }) => ({
      QueueUrls: [...queues.keys()].filter((name) => name.startsWith(String(QueueNamePrefix))).map(urlOf),
    }),
    DeleteQueue: (input) => {
      const { name } = queueIn(input);
      journal.removeQueue(name);
      queues.delete(name);
      return {};
    },
    PurgeQueue: (input) => {
      queueIn(input).purge();
      return {};
    },
    SetQueueAttributes: (input) => {
      queueIn(input).setAttributes(attributesIn(input));
      return {};
    },
    GetQueueAttributes: (input) => {
      const names = textsIn(input, 'AttributeNames');
      const all = allAttributes(queueIn(input));
      const requested = Object.entries(all).filter(([name]) => names.includes('All') || names.includes(name));
      return { Attributes: Object.fromEntries(requested) };
    },
    SendMessage: (input) => {
      const to = queueIn(input);
      const [sent] = to.send([newMessage(to, input)]);
      return { MessageId: sent!.id, MD5OfMessageBody: sent!.md5 };
    },
    SendMessageBatch: (input) => {
      const to = queueIn(input);
      const entries = entriesIn(input);
      const { successful, Failed } = processEntries(entries, (entry) => newMessage(to, entry));
      const size = successful.reduce((sum, { value }) => sum + sizeOf(value), 0);
      if (size > Number(to.attributes.MaximumMessageSize)) {
        throw new AwsError(
          'BatchRequestTooLong',
          'The length of all the messages put together is more than the limit.',
        );
      }
      const sent = to.send(successful.map(({ value }) => value));
      const Successful = successful.map(({ Id }, i) => ({
        Id,
        MessageId: sent[i]!.id,
        MD5OfMessageBody: sent[i]!.md5,
      }));
      return { Successful, Failed };
    },
    ReceiveMessage: receiveMessage,
    DeleteMessage: (input) => {
      queueIn(input).delete([receiptIn(input)]);
      return {};
    },
    DeleteMessageBatch: (input) => {
      const { successful, Failed } = processEntries(entriesIn(input), receiptIn);
      queueIn(input).delete(successful.map(({ value }) => value));
      return { Successful: successful.map(({ Id }) => ({ Id })), Failed };
    },
    ChangeMessageVisibility: (input) => {
      changeVisibility(queueIn(input), input);
      return {};
    },
    ChangeMessageVisibilityBatch: (input) => {
      const of = queueIn(input);
      const { successful, Failed } = processEntries(entriesIn(input), (entry) => changeVisibility(of, entry));
      return { Successful: successful.map(({ Id }) => ({ Id })), Failed };
    },
  };

  return {
    perform: async (operation, input) => {
      if (!Object.hasOwn(operations, operation)) throw unsupported(operation);
      return operations[operation]!(input);
    },
    queue,
    receive,
    stop: () => journal.close(),
  };
}

const arnOf = (name: string) => `arn:aws:sqs:${region}:${account}:${name}`;
/** Clients have their own endpoint. Only the name in this URL is used. */
const urlOf = (name: string) => `http://sqs/${account}/${name}`;

const invalid = (message: string) => new AwsError('InvalidParameterValue', message);
const unsupported = (what: string) =>
  new AwsError('UnsupportedOperation', `The local stack's SQS does not support ${what}.`);

const wrongType = (name: string) => new AwsError('SerializationException', `${name} does not have the right type.`);

function integerIn(input: Input, name: string, min: number, max: number): number | undefined {
  const value = input[name];
  if (value === undefined || value === null) return undefined;
  if (Number.isInteger(value) && Number(value) >= min && Number(value) <= max) return Number(value);
  throw invalid(`Value ${String(value)} for parameter ${name} is invalid. Reason: Must be between ${min} and ${max}.`);
}

function entriesIn({ Entries }: Input): (Input & { Id: string })[] {
  const entries = Entries ?? [];
  if (!Array.isArray(entries) || !entries.every(isRecord)) throw wrongType('Entries');
  if (entries.length === 0) throw new AwsError('EmptyBatchRequest', 'There should be at least one entry.');
  if (entries.length > maxBatch) {
    throw new AwsError('TooManyEntriesInBatchRequest', `Maximum number of entries per request are ${maxBatch}.`);
  }
  if (!entries.every(isNamed)) {
    throw new AwsError('InvalidBatchEntryId', 'A batch entry id can only contain alphanumerics, hyphens, underscores.');
  }
  if (new Set(entries.map(({ Id }) => Id)).size < entries.length) {
    throw new AwsError('BatchEntryIdsNotDistinct', 'Two or more batch entries have the same Id.');
  }
  return entries;
}

const isRecord = (value: unknown): value is Input =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isNamed = (entry: Input): entry is Input & { Id: string } =>
  typeof entry.Id === 'string' && /^[\w-]{1,80}$/.test(entry.Id);

function textsIn(input: Input, name: string): string[] {
  const list = input[name] ?? [];
  if (Array.isArray(list) && list.every((one) => typeof one === 'string')) return list;
  throw wrongType(name);
}

function receiptIn({ ReceiptHandle }: Input): string {
  if (typeof ReceiptHandle === 'string' && ReceiptHandle !== '') return ReceiptHandle;
  throw new AwsError('MissingParameter', 'The request must contain the parameter ReceiptHandle.');
}

const attributeRanges: Record<string, [number, number]> = {
  VisibilityTimeout: [0, maxVisibilitySeconds],
  DelaySeconds: [0, maxDelaySeconds],
  MessageRetentionPeriod: [60, 14 * 24 * 3600],
  MaximumMessageSize: [1024, 1024 * 1024],
  ReceiveMessageWaitTimeSeconds: [0, maxWaitSeconds],
};

/** A number that is none would make a message visible for ever, and a policy that is none would fail each receive. */
function attributesIn({ Attributes }: Input): QueueAttributes {
  const attributes = Attributes ?? {};
  if (!isRecord(attributes)) throw wrongType('Attributes');
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value !== 'string') throw wrongType(name);
    const [min, max] = attributeRanges[name] ?? [];
    const isWrong = min === undefined ? false : !/^\d+$/.test(value) || Number(value) < min || Number(value) > max!;
    if (isWrong || (name === 'RedrivePolicy' && value !== '' && !isRedrivePolicy(value))) {
      throw new AwsError('InvalidAttributeValue', `Invalid value for the parameter ${name}.`);
    }
  }
  return attributes as QueueAttributes;
}

function isRedrivePolicy(text: string): boolean {
  try {
    const { deadLetterTargetArn, maxReceiveCount } = JSON.parse(text);
    return typeof deadLetterTargetArn === 'string' && Number(maxReceiveCount) >= 1 && Number(maxReceiveCount) <= 1000;
  } catch {
    return false;
  }
}

/** Each entry of a batch succeeds or fails on its own. */
function processEntries<T>(entries: (Input & { Id: string })[], work: (entry: Input) => T) {
  const successful: { Id: string; value: T }[] = [];
  const Failed: object[] = [];
  for (const entry of entries) {
    try {
      successful.push({ Id: entry.Id, value: work(entry) });
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      Failed.push({ Id: entry.Id, SenderFault: true, Code: error.name, Message: error.message });
    }
  }
  return { successful, Failed };
}

function changeVisibility(queue: Queue, input: Input): void {
  const seconds = integerIn(input, 'VisibilityTimeout', 0, maxVisibilitySeconds);
  if (seconds === undefined) throw new AwsError('MissingParameter', 'The request must contain VisibilityTimeout.');
  queue.changeVisibility(receiptIn(input), seconds);
}

/** ASCII letters, digits and punctuation, without spaces. */
const validGroup = /^[!-~]{1,128}$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that SQS takes.
const validBody = /^[\u0009\u000a\u000d\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;

function newMessage(queue: Queue, input: Input): NewMessage {
  const { MessageBody: body, MessageGroupId: group, MessageAttributes } = input;
  if (typeof body !== 'string' || body === '') {
    throw new AwsError('MissingParameter', 'The request must contain the parameter MessageBody.');
  }
  if (!validBody.test(body)) {
    throw new AwsError('InvalidMessageContents', 'The message contains characters outside the allowed set.');
  }
  if (group !== undefined && !(typeof group === 'string' && validGroup.test(group))) {
    throw invalid('MessageGroupId can only include alphanumeric and punctuation characters. 1 to 128 in length.');
  }
  const attributes = MessageAttributes ?? {};
  if (!isRecord(attributes) || !Object.values(attributes).every(isAttribute)) throw wrongType('MessageAttributes');
  const message = {
    body,
    attributes: attributes as Record<string, MessageAttribute>,
    group,
    delaySeconds: integerIn(input, 'DelaySeconds', 0, maxDelaySeconds),
  };
  const limit = Number(queue.attributes.MaximumMessageSize);
  if (sizeOf(message) > limit) {
    throw invalid(`One or more parameters are invalid. Reason: Message must be shorter than ${limit} bytes.`);
  }
  return message;
}

const isAttribute = (value: unknown): value is MessageAttribute =>
  isRecord(value) &&
  typeof value.DataType === 'string' &&
  [value.StringValue, value.BinaryValue].every((text) => text === undefined || typeof text === 'string');

function sizeOf({ body, attributes = {} }: NewMessage): number {
  const others = Object.entries(attributes).map(
    ([name, { DataType, StringValue = '', BinaryValue = '' }]) =>
      Buffer.byteLength(name + DataType + StringValue) + Buffer.byteLength(BinaryValue, 'base64'),
  );
  return others.reduce((sum, size) => sum + size, Buffer.byteLength(body));
}

function allAttributes(queue: Queue): Record<string, string> {
  const { waiting, inFlight, delayed } = queue.counts();
  return {
    ...queue.attributes,
    QueueArn: queue.arn,
    ApproximateNumberOfMessages: String(waiting),
    ApproximateNumberOfMessagesNotVisible: String(inFlight),
    ApproximateNumberOfMessagesDelayed: String(delayed),
  };
}

/** The system attributes of a message, by their SQS names. */
export function systemAttributes(message: QueuedMessage): Record<string, string> {
  return {
    SenderId: account,
    SentTimestamp: String(message.sentAt),
    ApproximateReceiveCount: String(message.receives),
    ApproximateFirstReceiveTimestamp: String(message.firstReceivedAt),
    ...(message.group !== undefined && { MessageGroupId: message.group }),
  };
}

/** The attributes that a receiver asks for. */
interface RequestedNames {
  systemNames: string[];
  attributeNames: string[];
}

const requestedNamesIn = (input: Input): RequestedNames => ({
  systemNames: ['MessageSystemAttributeNames', 'AttributeNames'].flatMap((name) => textsIn(input, name)),
  attributeNames: textsIn(input, 'MessageAttributeNames').map((name) => name.replace(/^\.\*$/, 'All')),
});

function toReceived(message: QueuedMessage, { systemNames, attributeNames }: RequestedNames): object {
  const attributes = pick(message.attributes, (name) =>
    attributeNames.some(
      (one) => one === 'All' || one === name || (one.endsWith('.*') && name.startsWith(one.slice(0, -1))),
    ),
  );
  const system = pick(systemAttributes(message), (name) => systemNames.includes('All') || systemNames.includes(name));
  return {
    MessageId: message.id,
    ReceiptHandle: message.receipt,
    Body: message.body,
    MD5OfBody: md5Of(message.body),
    ...(Object.keys(system).length > 0 && { Attributes: system }),
    ...(Object.keys(attributes).length > 0 && { MessageAttributes: attributes }),
  };
}

const pick = <T>(record: Record<string, T>, isIncluded: (name: string) => boolean): Record<string, T> =>
  Object.fromEntries(Object.entries(record).filter(([name]) => isIncluded(name)));
