import { DecryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { DynamoDBRecord } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { changeKindOf } from '#schemas/catalogues/stream-kinds.ts';
import { partitions } from '#schemas/catalogues/table.ts';
import { allOperations } from '#schemas/families/index.ts';
import { fakeKms } from '#test/kit/fake-kms.ts';
import { invoke } from '#test/kit/invoke.ts';
import { memoryTable, type WireItem } from '#test/kit/memory-table.ts';
import { context, queuedMessage } from '#test/kit/queue-messages.ts';
import { asOperator, operator, tableWith } from '#test/kit/table.ts';
import type { Version } from './versions.ts';

/**
 * Two versions of the service on one table. What one of them writes and sends, the other handles on a copy of the table;
 * then the first handles it itself and goes on. So every record of the stream and every message is read by the other version,
 * in the state in which it would meet it.
 */

/** Which function reads each queue. What is sent to another one was given up. */
const readersOfQueues: Record<string, readonly string[]> = {
  DELIVERY_QUEUE_URL: ['delivery', 'dead-letters'],
  AUTOMATION_RUN_QUEUE_URL: ['automation-runs'],
  PARTS_QUEUE_URL: ['fan-out'],
  SEGMENTS_QUEUE_URL: ['segments'],
  REGISTRATION_QUEUE_URL: ['tracking-registration'],
  CARRIER_UPDATES_QUEUE_URL: ['ingest'],
  /** Another system reads it. */
  TRACKING_REQUESTS_QUEUE_URL: [],
};

const failureQueues = [
  'STREAM_FAILURES_QUEUE_URL',
  'DEAD_PARTS_QUEUE_URL',
  'GIVEN_UP_RUNS_QUEUE_URL',
  'SEGMENTS_DEAD_LETTERS_QUEUE_URL',
  'REGISTRATION_GIVEN_UP_QUEUE_URL',
  'CARRIER_UPDATES_FAILURES_QUEUE_URL',
];

const urlOf = (variable: string) => `https://${variable.toLowerCase().replaceAll('_', '-')}.example`;

/** How often the other version handles each kind of record and message. More of the same takes long, and shows nothing. */
const triedTimes = 2;

/** Something that a function is to handle. */
interface Work {
  name: string;
  reader: string;
  event: object;
  /** Whether only the other version handles it, because the same message goes to another function too. */
  isOnlyTried?: boolean;
  /** Whether the other version does not get it: the filters of the stream ask for it only since the functions are replaced. */
  isOnlyForWriter?: boolean;
}

/** What a function did: the kinds of items that it changed, and the queues that it sent to. */
type Effects = ReadonlySet<string>;

export class MixedWorld {
  /** What the reader could not handle, or passed over. */
  readonly unread: string[] = [];
  /** How often each kind of record and message was handled, and each answer read. */
  readonly handled = new Map<string, number>();
  readonly #writer: Version;
  readonly #reader: Version;
  /** The encryption contexts that functions named to decrypt something. */
  readonly decrypted: { name: string; context: Record<string, string> }[] = [];
  readonly #sqs = mockClient(SQSClient);
  readonly #kms = mockClient(KMSClient);
  readonly #work: Work[] = [];
  #sent: { variable: string; body: string }[] = [];

  constructor(writer: Version, reader: Version) {
    this.#writer = writer;
    this.#reader = reader;
    const variables = [...Object.keys(readersOfQueues), ...failureQueues];
    for (const variable of variables) process.env[variable] = urlOf(variable);
    Object.assign(process.env, { CREDENTIALS_KEY_ID: 'key', RETRY_BASE_SECONDS: '0.001' });
    fakeKms(this.#kms);
    tableWith(operator.item);
    this.#sqs.resolves({});
    this.#sqs.on(SendMessageBatchCommand).callsFake(({ QueueUrl, Entries }) => {
      const variable = variables.find((name) => urlOf(name) === QueueUrl)!;
      for (const { MessageBody } of Entries) this.#sent.push({ variable, body: MessageBody });
      return {};
    });
  }

  /** A request that the writer answers. */
  write(method: string, path: string, body?: object): Promise<Answer> {
    return this.#doing(() => call(this.#writer, method, path, body));
  }

  /** A request that changes what the writer stored, and that the other version answers. */
  change(method: string, path: string, body?: object): Promise<Answer> {
    return this.#doing(() => call(this.#reader, method, path, body));
  }

  /** What a function of the writer does that the other version does not have. */
  async doItself(act: () => Promise<unknown>): Promise<void> {
    await this.#doing(act);
    await this.settle();
  }

  /** A request that both answer. The same things must be in both answers. */
  async read(path: string): Promise<void> {
    const [own, other] = [await call(this.#writer, 'GET', path), await call(this.#reader, 'GET', path)];
    this.handled.set(`GET ${path.split('?')[0]!.replaceAll(/[0-9a-f-]{36}/g, '…')}`, 1);
    const [expected, found] = [own, other].map(({ body }) => JSON.stringify(namesIn(body).toSorted()));
    if (other.status !== own.status || found !== expected) {
      const shown = (answer: Answer) => `${answer.status} ${JSON.stringify(answer.body)}`.slice(0, 600);
      this.#fails(`GET ${path}`, `answers ${shown(other)} instead of ${shown(own)}`);
    }
  }

  /** What a schedule does. */
  async onSchedule(name: string): Promise<void> {
    this.#work.push({ name: `schedule of ${name}`, reader: name, event: {} });
    await this.settle();
  }

  carrierReports(body: object): void {
    this.#queue('CARRIER_UPDATES_QUEUE_URL', JSON.stringify(body));
  }

  /** Until nothing is left. */
  async settle(): Promise<void> {
    for (let round = 0; this.#work.length > 0; round++) {
      if (round > 1000) throw new Error(`It does not end: ${this.#work.map(({ name }) => name).slice(0, 5)}`);
      await this.#handle(this.#work.shift()!);
    }
  }

  async #handle(work: Work): Promise<void> {
    const name = `${work.name} for ${work.reader}`;
    const times = (this.handled.get(name) ?? 0) + 1;
    this.handled.set(name, times);
    const isTried = times <= triedTimes && !work.isOnlyForWriter;
    if (work.isOnlyTried && !isTried) return;
    const before = memoryTable.wireItems();
    const found = isTried ? await this.#tried(this.#reader, work, before) : undefined;
    if (isTried) restore(before);
    const handle = () => this.#tried(this.#writer, work, before);
    const own = await (work.isOnlyTried ? handle() : this.#doing(handle, before));
    if (typeof own === 'string') throw new Error(`${this.#writer.name} cannot handle its own ${name}: ${own}`);
    if (work.isOnlyTried) restore(before);
    if (typeof found === 'string') this.#fails(name, found);
    const missing = found instanceof Set ? [...own].filter((effect) => !found.has(effect) && !isNote(effect)) : [];
    if (missing.length > 0) this.#fails(name, `passes it over: no ${missing.join(', ')}`);
  }

  /** What the version does with the work, or why it does not. */
  async #tried(version: Version, { reader, event }: Work, before: Items): Promise<Effects | string> {
    const sent = this.#sent.length;
    const decrypted = this.#kms.commandCalls(DecryptCommand).length;
    try {
      const result = await version.functions[reader]!(event, context);
      const failures = result?.batchItemFailures ?? [];
      if (failures.length > 0) return 'reports it as failed';
    } catch (error) {
      return `throws ${error}`;
    } finally {
      for (const { args } of this.#kms.commandCalls(DecryptCommand).slice(decrypted)) {
        this.decrypted.push({ name: reader, context: args[0].input.EncryptionContext! });
      }
    }
    const messages = this.#sent.slice(sent).map(({ variable }) => variable);
    if (version === this.#reader) this.#sent.length = sent;
    const givenUp = messages.filter((variable) => failureQueues.includes(variable));
    if (givenUp.length > 0) return `gives it up to ${givenUp}`;
    // A mark only says that something was counted. The last release counted lists without one.
    const items = recordsBetween(before, memoryTable.wireItems())
      .filter(({ pk }) => !pk.startsWith(partitions.countedRecords))
      .map(({ pk }) => `change of ${pk.split('#')[0]}#`);
    return new Set([...messages.map((variable) => `message to ${variable}`), ...items]);
  }

  async #doing<T>(act: () => Promise<T>, before: Items = memoryTable.wireItems()): Promise<T> {
    this.#sent = [];
    const result = await act();
    for (const { record, pk, sk } of recordsBetween(before, memoryTable.wireItems())) this.#stream(record, pk, sk);
    for (const { variable, body } of this.#sent) this.#queue(variable, body);
    this.#sent = [];
    return result;
  }

  #stream(record: DynamoDBRecord, pk: string, sk: string): void {
    const { kind, region } = record.dynamodb!.NewImage ?? {};
    const about = `record of ${pk.split('#')[0]}#/${sk.split('#')[0]}${kind?.S ? ` (${kind.S})` : ''}, ${record.eventName}`;
    const isChange = changeKindOf('fan-out', sk) !== undefined && record.eventName !== 'REMOVE';
    if (isChange || (kind && region && record.eventName === 'INSERT')) {
      this.#work.push({ name: about, reader: 'fan-out', event: { Records: [record] } });
    }
    const isNewKind = changeKindOf('counts', sk) === 'feed_entry';
    if (changeKindOf('counts', sk) && !(isNewKind && !record.dynamodb!.NewImage?.feed)) {
      const event = { Records: [record] };
      this.#work.push({ name: about, reader: 'counts', event, isOnlyForWriter: isNewKind });
    }
  }

  #queue(variable: string, body: string): void {
    const names = Object.keys(JSON.parse(body)).toSorted();
    for (const reader of readersOfQueues[variable]!) {
      const event = { Records: [queuedMessage(`m${counter++}`, body)] };
      const isOnlyTried = reader === 'dead-letters';
      this.#work.push({ name: `message to ${variable} {${names}}`, reader, event, isOnlyTried });
    }
  }

  #fails(what: string, how: string): void {
    this.unread.push(`${what}, by ${this.#writer.name}: ${this.#reader.name} ${how}`);
  }
}

let counter = 0;

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the answers of all operations.
  body: any;
}

export async function call(version: Version, method: string, path: string, body?: object): Promise<Answer> {
  const [plain, search = ''] = path.split('?');
  const { operation, params } = operationOf(method, plain!);
  const query = Object.fromEntries(new URLSearchParams(search));
  const request = { method, resource: operation.path, params, query, headers: asOperator, ...(body && { body }) };
  return invoke(version.functions[operation.family] as never, request);
}

function operationOf(method: string, path: string) {
  for (const operation of allOperations) {
    const pattern = operation.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
    const found = operation.method === method && path.match(new RegExp(`^${pattern}$`));
    if (found) return { operation, params: { ...found.groups } };
  }
  throw new Error(`There is no ${method} ${path}.`);
}

/** What identifies the things in an answer. Their other fields may change from one version to another. */
function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    identifying.has(name) && typeof inner === 'string' ? [`${name} ${inner}`] : namesIn(inner),
  );
}

const identifying = new Set(['uuid', 'order_number', 'tracking_number', 'event_name', 'ref', 'status', 'email_id']);

type Items = ReadonlyMap<string, WireItem>;

function restore(before: Items): void {
  for (const [key, item] of memoryTable.wireItems()) {
    const old = before.get(key);
    if (!old) memoryTable.remove({ pk: item.pk!.S!, sk: item.sk!.S! });
    else if (isChanged(old, item)) memoryTable.putWire(old);
  }
  const left = memoryTable.wireItems();
  for (const [key, item] of before) if (!left.has(key)) memoryTable.putWire(item);
}

const isChanged = (a: WireItem | undefined, b: WireItem | undefined) => JSON.stringify(a) !== JSON.stringify(b);

/** How the stream shows the difference between two states of the table. */
export function recordsBetween(before: Items, after: Items) {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
    const [OldImage, NewImage] = [before.get(key), after.get(key)];
    if (!isChanged(OldImage, NewImage)) return [];
    const { pk, sk } = (NewImage ?? OldImage)!;
    const id = String(++counter);
    const record = {
      eventID: id,
      eventName: OldImage ? (NewImage ? 'MODIFY' : 'REMOVE') : 'INSERT',
      dynamodb: {
        ApproximateCreationDateTime: Math.floor(Date.now() / 1000),
        Keys: { pk, sk },
        SequenceNumber: id.padStart(20, '0'),
        ...(OldImage && { OldImage }),
        ...(NewImage && { NewImage }),
      },
    } as DynamoDBRecord;
    return [{ record, pk: pk!.S!, sk: sk!.S! }];
  });
}

/** What a reader of the stream notes for operators. Nothing else depends on it. */
const isNote = (effect: string) => effect === `change of ${partitions.heartbeats}`;
