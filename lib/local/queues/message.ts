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
  /** Who shares the queue fairly with others. */
  group: string | undefined;
  sentAt: number;
  /** It is delayed or in flight until then. */
  visibleAt: number;
  receives: number;
  firstReceivedAt: number | undefined;
  receivedAt: number | undefined;
  /** The newest one: it outlives the visibility timeout. */
  receipt: string | undefined;
}

export type QueueAttributes = Record<string, string>;
