import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { FailureQueue } from '#lib/failure-queues.ts';
import { mapConcurrently } from '#platform/batches.ts';
import { type GivenUp, maxListed, Progress, type Run, thousands } from './failure.ts';

/** A queue of failures is read page by page, because after a long outage it may hold more than fits into memory. */

/** Some of the messages. They are visible again afterwards. */
export async function listQueue(sqs: SQSClient, queue: FailureQueue, { say, signal, start }: Run): Promise<GivenUp[]> {
  const { visible, hidden } = await countsOf(sqs, queue);
  const found: GivenUp[] = [];
  const handles: Handle[] = [];
  try {
    while (found.length < maxListed && !signal.aborted) {
      const messages = await receive(sqs, queue);
      handles.push(...messages.map(({ ReceiptHandle }) => ({ ReceiptHandle })));
      found.push(...messages.map((message) => describe(queue, message)));
      if (!messages.some((message) => isBefore(start, message))) break;
    }
  } finally {
    await handBack(sqs, queue, handles);
  }
  if (found.length >= maxListed) {
    say(`${queue.name}: ${found.length} are listed, of about ${thousands(visible + hidden)}.`);
  }
  return found;
}

/** A message without its content. */
type Handle = Pick<Message, 'ReceiptHandle'>;

/** Each page is in hand for less than a second. What an interrupted command had in hand is hidden for the rest of this. */
const VisibilityTimeout = 60;

/** Pages that are in hand at the same time. Each has up to 10 MB. */
const maxPages = 8;

/** Sends all messages to the queue from which they are handled again, then removes them. @returns how many */
export async function replayQueue(sqs: SQSClient, queue: FailureQueue, run: Run): Promise<number> {
  const { visible, hidden } = await countsOf(sqs, queue);
  if (hidden > 0) {
    run.say(
      `${queue.name}: about ${thousands(hidden)} are hidden for up to a minute, because a command reads them or was ` +
        'interrupted. If they are listed afterwards, replay again.',
    );
  }
  const about = visible > maxListed ? `${queue.name}, about ${thousands(visible)} in all` : queue.name;
  const replay = new Replay(sqs, queue, { ...run, progress: new Progress(about, run.say) });
  return replay.run();
}

interface ReplayRun extends Run {
  progress: Progress;
}

/** More than these are no accident. */
const maxRefused = 1000;

class Replay {
  readonly #sqs: SQSClient;
  readonly #queue: FailureQueue;
  readonly #run: ReplayRun;
  /** Messages that the queue did not accept. They stay, and are not tried again by this run. */
  readonly #refused = new Map<string, string>();
  #isOver = false;

  constructor(sqs: SQSClient, queue: FailureQueue, run: ReplayRun) {
    this.#sqs = sqs;
    this.#queue = queue;
    this.#run = run;
  }

  async run(): Promise<number> {
    const { progress } = this.#run;
    try {
      await mapConcurrently(Array.from({ length: maxPages }), () => this.#replayPages());
    } catch (error) {
      throw new Error(
        `${this.#queue.name}: ${thousands(progress.count)} were sent again, then it failed: ${(error as Error).message}`,
        { cause: error },
      );
    }
    if (this.#refused.size > 0) {
      const reasons = [...new Set(this.#refused.values())].join(', ');
      throw new Error(
        `${this.#queue.name}: ${thousands(progress.count)} were sent again. ` +
          `${thousands(this.#refused.size)} stay, because the queue refused them: ${reasons}.`,
      );
    }
    return progress.count;
  }

  async #replayPages(): Promise<void> {
    try {
      while (!this.#isOver && !this.#run.signal.aborted && (await this.#replayPage()));
    } catch (error) {
      // The other pages in hand are finished, and no more are taken.
      this.#isOver = true;
      throw error;
    }
  }

  /** False if the page had nothing to send. */
  async #replayPage(): Promise<boolean> {
    const messages = await receive(this.#sqs, this.#queue);
    const [old, later] = partition(messages, (message) => isBefore(this.#run.start, message));
    const toSend = old.filter(({ MessageId }) => !this.#refused.has(MessageId!));
    await handBack(this.#sqs, this.#queue, later);
    for (const batch of batchesOf(toSend, lengthOf)) await this.#move(batch);
    return toSend.length > 0;
  }

  /** If this dies after the first request, the messages come twice. All that is done with them has derived ids. */
  async #move(batch: readonly Message[]): Promise<void> {
    const refused = await send(
      this.#sqs,
      this.#queue,
      batch.map(({ Body, Attributes }) => ({ body: Body!, group: Attributes?.MessageGroupId })),
    );
    for (const [place, reason] of refused) this.#refused.set(batch[place]!.MessageId!, reason);
    if (this.#refused.size > maxRefused) throw new Error(`The queue refuses: ${[...refused.values()][0]}.`);
    const sent = batch.filter((_, place) => !refused.has(place));
    await remove(this.#sqs, this.#queue, sent);
    this.#run.progress.add(sent.length);
  }
}

/** A request that does not wait asks only some of the servers of SQS, and may find nothing although there is something. */
const WaitTimeSeconds = 2;

async function receive(sqs: SQSClient, { from }: FailureQueue): Promise<Message[]> {
  const { Messages = [] } = await sqs.send(
    new ReceiveMessageCommand({
      QueueUrl: from,
      MaxNumberOfMessages: maxEntries,
      VisibilityTimeout,
      WaitTimeSeconds,
      MessageSystemAttributeNames: ['SentTimestamp', 'MessageGroupId'],
      MessageAttributeNames: ['reason'],
    }),
  );
  return Messages;
}

async function countsOf(sqs: SQSClient, { from }: FailureQueue): Promise<{ visible: number; hidden: number }> {
  const names = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
  const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl: from, AttributeNames: [...names] }));
  const [visible, hidden] = names.map((name) => Number(Attributes?.[name] ?? 0));
  return { visible: visible!, hidden: hidden! };
}

const sentAt = ({ Attributes }: Message): number => Number(Attributes?.SentTimestamp ?? 0);
const isBefore = (start: number, message: Message): boolean => sentAt(message) <= start;

/** SQS takes so many messages in one request, and so many bytes. */
const maxEntries = 10;
const maxBytes = 1_000_000;

interface Sent {
  body: string;
  group?: string | undefined;
}

const lengthOf = ({ Body }: Message): number => Buffer.byteLength(Body!);

/** Sends the texts in as few requests as possible. Throws if the queue refuses one. */
export async function sendAll(sqs: SQSClient, queue: FailureQueue, texts: readonly string[]): Promise<void> {
  for (const batch of batchesOf(texts, Buffer.byteLength)) {
    const refused = await send(
      sqs,
      queue,
      batch.map((body) => ({ body })),
    );
    for (const reason of refused.values()) throw new Error(`${queue.name}: the queue refused a record: ${reason}.`);
  }
}

/** @returns why messages were refused, by their places in the batch */
async function send(sqs: SQSClient, { to }: FailureQueue, batch: readonly Sent[]): Promise<Map<number, string>> {
  const Entries = batch.map(({ body, group }, place) => ({
    Id: String(place),
    MessageBody: body,
    ...(group && { MessageGroupId: group }),
  }));
  const { Failed = [] } = await sqs.send(new SendMessageBatchCommand({ QueueUrl: to, Entries }));
  return new Map(Failed.map(({ Id, Code = 'unknown' }) => [Number(Id), Code]));
}

/** Throws if a message stays, which would be sent again and again. */
async function remove(sqs: SQSClient, { from }: FailureQueue, messages: readonly Message[]): Promise<void> {
  if (messages.length === 0) return;
  const Entries = messages.map(({ ReceiptHandle }, place) => ({ Id: String(place), ReceiptHandle: ReceiptHandle! }));
  const { Failed = [] } = await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: from, Entries }));
  for (const { Code } of Failed) throw new Error(`A message was sent again, but could not be removed: ${Code}.`);
}

async function handBack(sqs: SQSClient, { from }: FailureQueue, messages: readonly Handle[]): Promise<void> {
  for (const batch of batchesOf(messages, () => 0)) {
    const Entries = batch.map(({ ReceiptHandle }, place) => ({
      Id: String(place),
      ReceiptHandle: ReceiptHandle!,
      VisibilityTimeout: 0,
    }));
    await sqs.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: from, Entries }));
  }
}

function batchesOf<T>(items: readonly T[], lengthOf: (item: T) => number): T[][] {
  const batches: T[][] = [];
  let bytes = 0;
  for (const item of items) {
    const last = batches.at(-1);
    bytes += lengthOf(item);
    if (last && last.length < maxEntries && bytes <= maxBytes) last.push(item);
    else {
      batches.push([item]);
      bytes = lengthOf(item);
    }
  }
  return batches;
}

function partition<T>(items: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}

function describe({ name }: FailureQueue, message: Message): GivenUp {
  const told = message.MessageAttributes?.reason?.StringValue ?? 'given up';
  const { reason = told, kind, put_aside_at } = partsOf(message.Body ?? '');
  const since = put_aside_at ?? new Date(sentAt(message)).toISOString();
  return { queue: name, since, reason: kind ? `${reason} (${kind})` : reason, records: 1 };
}

function partsOf(body: string): { reason?: string; kind?: string; put_aside_at?: string } {
  try {
    const parts = JSON.parse(body);
    return typeof parts?.put_aside_at === 'string' ? parts : {};
  } catch {
    return {};
  }
}
