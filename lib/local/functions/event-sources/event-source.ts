export interface EventSource {
  /** Stops taking new records or messages. */
  stop(): Promise<void>;
  /** Resolves when everything that was taken is processed. */
  settled(): Promise<void>;
}
