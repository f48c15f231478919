import type { SQSRecord } from 'aws-lambda';
import { messageOf } from '#domain/deliveries/delivery-items.ts';
import type { AttemptResult, Delivery } from '#domain/deliveries/delivery-rules.ts';
import { deliverBatch } from '#pipeline/delivery/handler.ts';
import type { Ports } from '#pipeline/delivery/job.ts';
import { signatureHeaders } from '#pipeline/delivery/post.ts';

const maxReceives = 15;
const visibilitySeconds = 360;
const minute = 60_000;

interface Message {
  id: string;
  body: string;
  sentAt?: number;
  visibleAt: number;
  receives: number;
}

/** A queue with its redrive policy, a clock that jumps to the next message, and a target with set answers. */
export class DeliverySimulation {
  time = Date.parse('2026-11-14T12:00:00Z');
  readonly messages: Message[] = [];
  readonly deadLetters: Message[] = [];
  /** When each POST was made. */
  readonly posts: { at: number; url: string; headers: Record<string, string>; body: string }[] = [];
  readonly circuit = { isOpen: false, calls: [] as string[] };
  readonly ports: Ports;
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
      pace: { takeTurns: async () => ({ waitSeconds: 0, hasTurn: true }), postpone: async () => {} },
      wait: async ({ messageId }, { waitSeconds, hasTurn, wait }) => {
        const { body } = this.#message(messageId);
        const visibleAt = this.time + waitSeconds * 1000;
        const id = `${messageId}'`;
        const waiting = JSON.stringify({ ...JSON.parse(body), ...(hasTurn && { hasTurn }), wait });
        this.messages.push({ id, body: waiting, sentAt: this.time, visibleAt, receives: 0 });
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
    const body = JSON.stringify({ ...messageOf(delivery), ...more });
    this.messages.push({ id: `m${this.messages.length}`, body, sentAt: this.time, visibleAt: this.time, receives: 0 });
  }

  /** Handles one batch of the visible messages. A worker that dies acknowledges nothing. */
  async poll({ dies = false }: { dies?: boolean } = {}): Promise<void> {
    const batch = this.#receive();
    if (batch.length === 0) return;
    const running = deliverBatch(batch.map(toRecord), this.ports, () => this.remainingMs);
    const again = await running.then(
      (outcome) => outcome.again,
      () => undefined,
    );
    if (dies || !again) return;
    for (const message of batch) if (!again.has(message.id)) this.messages.splice(this.messages.indexOf(message), 1);
  }

  /** Polls until the queue is empty, at most this many batches. */
  async run(mostBatches = 100): Promise<void> {
    for (let batch = 0; batch < mostBatches && this.messages.length > 0; batch++) {
      this.time = Math.max(this.time, Math.min(...this.messages.map(({ visibleAt }) => visibleAt)));
      await this.poll();
    }
  }

  later(minutes: number): void {
    this.time += minutes * minute;
  }

  /** Seconds between the POSTs. */
  get gaps(): number[] {
    return this.posts.slice(1).map(({ at }, i) => (at - this.posts[i]!.at) / 1000);
  }

  #receive(): Message[] {
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
