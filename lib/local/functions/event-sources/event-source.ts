export interface EventSource {
  /** Takes nothing new. */
  stop(): Promise<void>;
  /** Resolves when what was taken is done. */
  settled(): Promise<void>;
}
