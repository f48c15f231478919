import type { Message, SendMessageBatchRequestEntry, SQSClient } from '@aws-sdk/client-sqs';

interface Held {
  message: Message;
  visibleAt: number;
}

/**
 * A queue of failures and the queue to which they are sent again, in memory. Each request takes some time of its own
 * clock, so that messages become visible again while a slow command has them in hand.
 */
export class FakeFailureQueue {
  /** In milliseconds since the first request. */
  now = 0;
  /** The bodies that were sent again. */
  readonly sent: string[] = [];
  /** The most messages that were in hand at the same time. */
  mostHeld = 0;
  /** Is called before each request. What it throws, the request throws. */
  beforeRequest: (name: string) => void = () => {};
  /** Why an entry of a batch fails, by the request and what the message says. */
  refusal: (name: string, body: string) => string | undefined = () => undefined;
  readonly #visible: Message[];
  readonly #held = new Map<string, Held>();
  readonly #requestMs: number;

  constructor(bodies: readonly string[], { requestMs = 40 } = {}) {
    this.#requestMs = requestMs;
    this.#visible = bodies.map((Body, place) => ({
      MessageId: String(place),
      ReceiptHandle: String(place),
      Body,
      Attributes: { SentTimestamp: '0' },
    }));
  }

  get left(): number {
    return this.#visible.length + this.#held.size;
  }

  /** A message that is given up now. */
  add(Body: string): void {
    const MessageId = `later-${this.now}`;
    const Attributes = { SentTimestamp: String(this.now) };
    this.#visible.push({ MessageId, ReceiptHandle: MessageId, Body, Attributes });
  }

  readonly sqs = {
    send: async ({ constructor: { name }, input }: { constructor: { name: string }; input: never }) => {
      this.beforeRequest(name);
      this.now += this.#requestMs;
      this.#returnExpired();
      return this.requests[name as keyof FakeFailureQueue['requests']](input);
    },
  } as unknown as SQSClient;

  private readonly requests = {
    GetQueueAttributesCommand: () => ({
      Attributes: {
        ApproximateNumberOfMessages: String(this.#visible.length),
        ApproximateNumberOfMessagesNotVisible: String(this.#held.size),
      },
    }),

    ReceiveMessageCommand: (input: { MaxNumberOfMessages: number; VisibilityTimeout: number }) => {
      const Messages = this.#visible.splice(-input.MaxNumberOfMessages);
      const visibleAt = this.now + input.VisibilityTimeout * 1000;
      for (const message of Messages) this.#held.set(message.ReceiptHandle!, { message, visibleAt });
      this.mostHeld = Math.max(this.mostHeld, this.#held.size);
      return { Messages };
    },

    SendMessageBatchCommand: ({ Entries }: { Entries: SendMessageBatchRequestEntry[] }) => {
      const Failed = this.#failed('SendMessageBatchCommand', Entries, ({ MessageBody }) => MessageBody!);
      const failed = new Set(Failed.map(({ Id }) => Id));
      this.sent.push(...Entries.filter(({ Id }) => !failed.has(Id)).map(({ MessageBody }) => MessageBody!));
      return { Failed };
    },

    DeleteMessageBatchCommand: ({ Entries }: { Entries: { Id: string; ReceiptHandle: string }[] }) => {
      const bodyOf = ({ ReceiptHandle }: { ReceiptHandle: string }) =>
        this.#held.get(ReceiptHandle)?.message.Body ?? '';
      const Failed = this.#failed('DeleteMessageBatchCommand', Entries, bodyOf);
      if (Failed.length === 0) for (const { ReceiptHandle } of Entries) this.#held.delete(ReceiptHandle);
      return { Failed };
    },

    ChangeMessageVisibilityBatchCommand: ({ Entries }: { Entries: { ReceiptHandle: string }[] }) => {
      for (const { ReceiptHandle } of Entries) this.#handBack(ReceiptHandle);
      return {};
    },
  };

  #failed<Entry extends { Id?: string | undefined }>(name: string, entries: Entry[], bodyOf: (entry: Entry) => string) {
    return entries.flatMap((entry) => {
      const Code = this.refusal(name, bodyOf(entry));
      return Code ? [{ Id: entry.Id, Code }] : [];
    });
  }

  /** All are hidden for the same time, so the first expires first. */
  #returnExpired(): void {
    for (const [handle, { visibleAt }] of this.#held) {
      if (visibleAt > this.now) return;
      this.#handBack(handle);
    }
  }

  #handBack(handle: string): void {
    const held = this.#held.get(handle);
    if (!held) return;
    this.#held.delete(handle);
    this.#visible.unshift(held.message);
  }
}
