export interface MessageAttribute {
  DataType: string;
  StringValue?: string;
  /** Base64. */
  BinaryValue?: string;
}

export interface QueuedMessage {
  id: string;
  body: string;
  attributes: Record<string, MessageAttribute>;
  /** The message group, for which the queue is fair. */
  group: string | undefined;
  sentAt: number;
  /** The message is delayed or in flight until this time. */
  visibleAt: number;
  receives: number;
  firstReceivedAt: number | undefined;
  receivedAt: number | undefined;
  /** The newest receipt. It stays valid after the visibility timeout. */
  receipt: string | undefined;
}

export type QueueAttributes = Record<string, string>;
