import type { SQSRecord } from 'aws-lambda';
import { firstMessageOf, messageOf } from '#domain/deliveries/delivery-messages.ts';
import type { AttemptResult, Delivery } from '#domain/deliveries/delivery-rules.ts';
import { keepRetry } from '#domain/deliveries/retry-store.ts';
import { deliverBatch } from '#pipeline/delivery/handler.ts';
import type { Ports } from '#pipeline/delivery/job.ts';
import { signatureHeaders } from '#pipeline/delivery/post.ts';
import { sendDueRetries } from '#pipeline/drain/drain.ts';
import { maxDelaySeconds } from '#platform/queue.ts';
import { deliveryLimits } from '#schemas/catalogues/limits.ts';
import { memoryTable } from './memory-table.ts';

const { receives: maxReceives, visibilitySeconds } = deliveryLimits;
const minute = 60_000;

interface Message {
  id: string;
  body: string;
  sentAt?: number;
  visibleAt: number;
  receives: number;
}

/**
 * A queue with its redrive policy, a drain that sends every full minute what waits in the table, a clock that jumps to
 * the next message, and a target with set answers.
 */
export class DeliverySimulation {
  time = Date.parse('2026-11-14T12:00:00Z');
  readonly messages: Message[] = [];
  readonly deadLetters: Message[] = [];
  /** The longest time that a message was in flight: from its receipt until it was deleted or could be received again. */
  longestInFlightSeconds = 0;
  /** The sum of these times. */
  inFlightSeconds = 0;
  /** When each POST was made. */
  readonly posts: { at: number; url: string; headers: Record<string, string>; body: string }[] = [];
  readonly circuit = { isOpen: false, calls: [] as string[] };
  readonly ports: Ports;
  #sent = 0;
  /** When drain sends what waits in the table. */
  #dueTimes: number[] = [];
  answer: (count: number) => AttemptResult | Promise<AttemptResult> = () => ({ status: 200 });
  remainingMs = 60_000;

  constructor(more: Partial<Ports> = {}) {
    this.ports = {
      post: async ({ url, headers, body }) => {
        this.posts.push({ at: this.time, url, headers, body: Buffer.from(body).toString() });
        return this.answer(this.posts.length);
      },
      destinationOf: async ({ target }) => ({
        url: `https://${target}.example.com/`,
        headersFor: async (id, body, now) => signatureHeaders({ id, body, secrets: ['secret-of-16-chars'], now }),
      }),
      circuit: {
        isOpen: async () => this.circuit.isOpen,
        recordAbandoned: async () => this.circuit.calls.push('abandoned'),
        recordSuccess: async () => this.circuit.calls.push('success'),
        recordFailure: async (_slug, _target, id) => this.circuit.calls.push(`failure ${id}`),
      },
      sendToVendor: async () => {
        throw new Error('no vendor is expected');
      },
      sendMail: async () => {
        throw new Error('no e-mail is expected');
      },
      pace: { takeTurns: async () => ({ waitSeconds: 0, hasTurn: true }), postpone: async () => {} },
      sendLater: async (message, seconds) => {
        if (seconds <= maxDelaySeconds) return this.#push(message, seconds);
        await keepRetry(message, seconds, new Date(this.time));
        this.#dueTimes.push(Math.ceil((this.time + seconds * 1000) / minute) * minute);
      },
      hide: async ({ messageId }, seconds) => {
        this.#message(messageId).visibleAt = this.time + seconds * 1000;
      },
      now: () => new Date(this.time),
      random: () => 0.5,
      ...more,
    };
  }

  send(delivery: Delivery, more: object = {}): void {
    this.#push({ ...messageOf(delivery), ...more });
  }

  /** As fan-out does, which writes nothing of the delivery. */
  sendFirst(delivery: Delivery): void {
    this.#push(firstMessageOf(delivery));
  }

  #push(message: object, seconds = 0): void {
    const visibleAt = this.time + seconds * 1000;
    const id = `m${this.#sent++}`;
    this.messages.push({ id, body: JSON.stringify(message), sentAt: this.time, visibleAt, receives: 0 });
  }

  /** Handles one batch of the visible messages. A worker that dies acknowledges nothing. */
  async poll({ dies = false }: { dies?: boolean } = {}): Promise<void> {
    const batch = this.receive();
    if (batch.length === 0) return;
    const receivedAt = this.time;
    const running = deliverBatch(batch.map(toRecord), this.ports, () => this.remainingMs);
    const again = await running.then(
      (outcome) => outcome.again,
      () => undefined,
    );
    for (const message of batch) {
      const isDone = !dies && again !== undefined && !again.has(message.id);
      this.#countInFlight(((isDone ? this.time : message.visibleAt) - receivedAt) / 1000);
      if (isDone) this.messages.splice(this.messages.indexOf(message), 1);
    }
  }

  #countInFlight(seconds: number): void {
    this.inFlightSeconds += seconds;
    this.longestInFlightSeconds = Math.max(this.longestInFlightSeconds, seconds);
  }

  /** Polls until nothing waits, neither in the queue nor in the table, at most this many batches. */
  async run(mostBatches = 100): Promise<void> {
    for (let batch = 0; batch < mostBatches && Number.isFinite(this.nextAt); batch++) {
      this.time = Math.max(this.time, this.nextAt);
      await this.drain();
      await this.poll();
    }
  }

  /** When the next message can be received, or when drain sends the next one. */
  get nextAt(): number {
    return Math.min(...this.messages.map(({ visibleAt }) => visibleAt), ...this.#dueTimes);
  }

  /** Sends what is due in the table. One that dies has sent it, but has not removed it. */
  async drain({ dies = false }: { dies?: boolean } = {}): Promise<void> {
    if (!this.#dueTimes.some((dueAt) => dueAt <= this.time)) return;
    const before = memoryTable.all('RETRIES#');
    await sendDueRetries(
      new Date(this.time),
      () => this.remainingMs,
      async (messages) => messages.forEach((message) => void this.#push(message)),
    );
    this.#dueTimes = this.#dueTimes.filter((dueAt) => dueAt > this.time);
    if (!dies) return;
    memoryTable.put(...before);
    this.#dueTimes.push(this.time + minute);
  }

  later(minutes: number): void {
    this.time += minutes * minute;
  }

  /** Seconds between the POSTs. */
  get gaps(): number[] {
    return this.posts.slice(1).map(({ at }, i) => (at - this.posts[i]!.at) / 1000);
  }

  /** What the queue hands out now, also to a function that is down. */
  receive(): Message[] {
    const visible = this.messages.filter(({ visibleAt }) => visibleAt <= this.time).slice(0, 10);
    for (const message of visible) {
      if (message.receives < maxReceives) continue;
      this.messages.splice(this.messages.indexOf(message), 1);
      this.deadLetters.push(message);
    }
    const batch = visible.filter((message) => !this.deadLetters.includes(message));
    for (const message of batch) {
      message.receives++;
      message.visibleAt = this.time + visibilitySeconds * 1000;
    }
    return batch;
  }

  #message(id: string): Message {
    return this.messages.find((message) => message.id === id)!;
  }
}

export const toRecord = ({ id, body, receives, sentAt = 0 }: Omit<Message, 'visibleAt'>) =>
  ({
    messageId: id,
    receiptHandle: `handle of ${id}`,
    body,
    attributes: { ApproximateReceiveCount: String(receives), SentTimestamp: String(sentAt) },
  }) as SQSRecord;
