/** A queue that keeps what a part of the pipeline gave up, and the queue by which it gets that again. */
export interface FailureQueue {
  /** The name by which the operator's command knows it. */
  name: string;
  from: string;
  to: string;
  /** Of a function that reads the stream: what Lambda gave up for it is in the bucket. */
  functionArn?: string;
}

/** The output `Failures` of the stack. */
export interface Failures {
  queues: readonly FailureQueue[];
  /** The bucket with the records of the stream that Lambda gave up. */
  bucket: string;
  /** The table whose list of planned actions keeps what was given up of them. */
  table: string;
}
