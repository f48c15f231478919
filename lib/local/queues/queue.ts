import { createHash, randomUUID } from 'node:crypto';
import { AwsError } from '../aws/aws-error.ts';
import type { MessageAttribute, QueueAttributes, QueuedMessage } from './message.ts';
import type { QueueJournal } from './queue-journal.ts';

export interface NewMessage {
  body: string;
  attributes?: Record<string, MessageAttribute> | undefined;
  group?: string | undefined;
  delaySeconds?: number | undefined;
}

/** Chooses the messages to receive next. The waiting messages are in the order of their arrival. */
export type Choose = (waiting: ReadonlySet<QueuedMessage>) => QueuedMessage[];

export interface RedrivePolicy {
  deadLetterTargetArn: string;
  maxReceiveCount: number;
}

/** SQS hides a message for at most this time after one receive. */
const maxHiddenSeconds = 43_200;
const maxInFlight = 120_000;
const expiryIntervalMs = 60_000;

const defaults: QueueAttributes = {
  VisibilityTimeout: '30',
  DelaySeconds: '0',
  MessageRetentionPeriod: String(4 * 24 * 3600),
  MaximumMessageSize: String(1024 * 1024),
  ReceiveMessageWaitTimeSeconds: '0',
};

/** A standard queue. Its messages are in memory, and each change is written to the journal first. */
export class Queue {
  readonly name: string;
  readonly arn: string;
  readonly #journal: QueueJournal;
  readonly #now: () => number;
  #attributes: QueueAttributes;
  readonly #ready = new Set<QueuedMessage>();
  readonly #hidden = new Set<QueuedMessage>();
  readonly #byReceipt = new Map<string, QueuedMessage>();
  readonly #waiters = new Set<() => void>();
  /** The earliest time at which a hidden message becomes visible. */
  #nextVisible = Number.POSITIVE_INFINITY;
  #expiredAt = Number.NEGATIVE_INFINITY;

  constructor(
    name: string,
    arn: string,
    attributes: QueueAttributes,
    messages: readonly QueuedMessage[],
    { journal, now }: { journal: QueueJournal; now: () => number },
  ) {
    this.name = name;
    this.arn = arn;
    this.#attributes = attributes;
    this.#journal = journal;
    this.#now = now;
    for (const message of messages) this.#place(message);
  }

  get attributes(): QueueAttributes {
    return { ...defaults, ...this.#attributes };
  }

  get redrivePolicy(): RedrivePolicy | undefined {
    const text = this.#attributes.RedrivePolicy;
    return text ? (JSON.parse(text) as RedrivePolicy) : undefined;
  }

  counts(): { waiting: number; inFlight: number; delayed: number } {
    this.#releaseDue();
    const inFlight = [...this.#hidden].filter(({ receipt }) => receipt !== undefined).length;
    return { waiting: this.#ready.size, inFlight, delayed: this.#hidden.size - inFlight };
  }

  setAttributes(attributes: QueueAttributes): void {
    const next = { ...this.#attributes, ...attributes };
    this.#journal.saveQueue(this.name, next);
    this.#attributes = next;
  }

  send(messages: readonly NewMessage[]): { id: string; md5: string }[] {
    const now = this.#now();
    const queued = messages.map(({ body, attributes = {}, group, delaySeconds }): QueuedMessage => {
      const delay = delaySeconds ?? this.#seconds('DelaySeconds');
      const unreceived = { receives: 0, firstReceivedAt: undefined, receivedAt: undefined, receipt: undefined };
      return { id: randomUUID(), body, attributes, group, sentAt: now, visibleAt: now + delay * 1000, ...unreceived };
    });
    this.#journal.insert(this.name, queued);
    for (const message of queued) this.#place(message);
    return queued.map(({ id, body }) => ({ id, md5: md5Of(body) }));
  }

  /**
   * Receives waiting messages. A message that was received as often as the redrive policy allows is moved to the
   * dead-letter queue instead. The journal does that in one step, so after a crash it is in exactly one of the two.
   */
  receive(
    choose: Choose,
    deadLetters: (arn: string) => Queue | undefined,
    visibilitySeconds?: number,
  ): QueuedMessage[] {
    this.#releaseDue();
    this.#expire();
    const chosen = this.#chooseReceivable(choose, deadLetters);
    if (this.#hidden.size + chosen.length > maxInFlight) {
      throw new AwsError('OverLimit', `There are more than ${maxInFlight} messages in flight.`);
    }
    const now = this.#now();
    const visibleAt = now + (visibilitySeconds ?? this.#seconds('VisibilityTimeout')) * 1000;
    const received = chosen.map((message) => ({
      ...message,
      receives: message.receives + 1,
      firstReceivedAt: message.firstReceivedAt ?? now,
      receivedAt: now,
      visibleAt,
      receipt: randomUUID(),
    }));
    this.#journal.update(received);
    this.#drop(chosen);
    for (const message of received) this.#place(message);
    return received;
  }

  /** Resolves when a message may have become visible, or after this many seconds. */
  arrival(seconds: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const now = this.#now();
    const due = Math.min(this.#nextVisible, now + seconds * 1000);
    const wake = (): void => {
      clearTimeout(timer);
      this.#waiters.delete(wake);
      resolve();
    };
    const timer = setTimeout(wake, Math.max(0, due - now));
    this.#waiters.add(wake);
    return promise;
  }

  /** An old receipt deletes nothing and is not an error, as in AWS. */
  delete(receipts: readonly string[]): void {
    const messages = receipts.flatMap((receipt) => this.#byReceipt.get(receipt) ?? []);
    this.#journal.remove(messages);
    this.#drop(messages);
  }

  changeVisibility(receipt: string, seconds: number): void {
    const message = this.#byReceipt.get(receipt);
    const now = this.#now();
    if (!message) throw new AwsError('ReceiptHandleIsInvalid', `The input receipt handle "${receipt}" is not valid.`);
    if (!this.#hidden.has(message) || message.visibleAt <= now) {
      throw new AwsError('MessageNotInflight', 'The message referred to is not in flight.');
    }
    if (seconds > 0 && (now - message.receivedAt!) / 1000 + seconds > maxHiddenSeconds) throw beyondLimit(seconds);
    const changed = { ...message, visibleAt: now + seconds * 1000 };
    this.#journal.update([changed]);
    this.#drop([message]);
    this.#place(changed);
  }

  purge(): void {
    const messages = [...this.#ready, ...this.#hidden];
    this.#journal.remove(messages);
    this.#drop(messages);
  }

  #seconds(attribute: string): number {
    return Number(this.attributes[attribute]);
  }

  #chooseReceivable(choose: Choose, deadLetters: (arn: string) => Queue | undefined): QueuedMessage[] {
    const policy = this.redrivePolicy;
    const target = policy && deadLetters(policy.deadLetterTargetArn);
    if (!policy || !target || target === this) return choose(this.#ready);
    for (;;) {
      const chosen = choose(this.#ready);
      const exhausted = chosen.filter(({ receives }) => receives >= policy.maxReceiveCount);
      if (exhausted.length === 0) return chosen;
      this.#moveTo(target, exhausted);
    }
  }

  #moveTo(target: Queue, messages: readonly QueuedMessage[]): void {
    const moved = messages.map((message) => ({ ...message, receipt: undefined, receivedAt: undefined }));
    this.#journal.move(moved, target.name);
    this.#drop(messages);
    for (const message of moved) target.#place(message);
  }

  #place(message: QueuedMessage): void {
    if (message.receipt) this.#byReceipt.set(message.receipt, message);
    if (message.visibleAt > this.#now()) {
      this.#hidden.add(message);
      if (message.visibleAt >= this.#nextVisible) return;
      this.#nextVisible = message.visibleAt;
      this.#wake(); // waiting readers must check earlier
    } else {
      this.#ready.add(message);
      this.#wake();
    }
  }

  #drop(messages: readonly QueuedMessage[]): void {
    for (const message of messages) {
      this.#ready.delete(message);
      this.#hidden.delete(message);
      if (message.receipt) this.#byReceipt.delete(message.receipt);
    }
  }

  #wake(): void {
    for (const wake of [...this.#waiters]) wake();
  }

  #releaseDue(): void {
    const now = this.#now();
    if (now < this.#nextVisible) return;
    this.#nextVisible = Number.POSITIVE_INFINITY;
    for (const message of this.#hidden) {
      if (message.visibleAt > now) this.#nextVisible = Math.min(this.#nextVisible, message.visibleAt);
      else {
        this.#hidden.delete(message);
        this.#ready.add(message);
      }
    }
  }

  #expire(): void {
    if (this.#now() - this.#expiredAt < expiryIntervalMs) return;
    this.#expiredAt = this.#now();
    const oldest = this.#now() - this.#seconds('MessageRetentionPeriod') * 1000;
    const expired = [...this.#ready].filter(({ sentAt }) => sentAt < oldest);
    if (expired.length === 0) return;
    this.#journal.remove(expired);
    this.#drop(expired);
  }
}

export const md5Of = (text: string): string => createHash('md5').update(text).digest('hex');

const beyondLimit = (seconds: number) =>
  new AwsError(
    'InvalidParameterValue',
    `Value ${seconds} for parameter VisibilityTimeout is invalid. Reason: Total VisibilityTimeout for the message is beyond the limit [${maxHiddenSeconds} seconds].`,
  );
