import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { finishRun, parseRunMessage, readRun } from '#domain/automations/run-store.ts';
import { logger } from '#platform/logging.ts';
import { performRun } from './act.ts';

/** Runs of automations from their queue, and those that the queue gave up on. */
export async function handler({ Records }: SQSEvent): Promise<SQSBatchResponse> {
  const results = await Promise.all(Records.map(async (record) => ({ record, ...(await work(record)) })));
  const again = results.filter(({ error }) => error !== undefined);
  const counts = { messages: Records.length, again: again.length };
  if (again.length === 0) logger.info('automation runs', counts);
  else logger.warn('automation runs', { ...counts, reasons: again.map(({ error }) => error) });
  return { batchItemFailures: again.map(({ record }) => ({ itemIdentifier: record.messageId })) };
}

interface Result {
  error?: string;
}

async function work(record: SQSRecord): Promise<Result> {
  const message = parseRunMessage(record.body);
  if (!message) return isDeadLetter(record) ? {} : { error: 'Malformed' };
  try {
    const run = await readRun(message);
    // Gone by its time to live, or done: a repeated message.
    if (run?.finished_at !== null) return {};
    if (isDeadLetter(record)) await finishRun(run, { status: 'failed', reason: 'given_up' }, new Date());
    else await performRun(run, new Date());
    return {};
  } catch (error) {
    // The name, never the message: that may quote what was to be written.
    return { error: (error as Error).name };
  }
}

const isDeadLetter = ({ eventSourceARN }: SQSRecord) => eventSourceARN === process.env.RUN_DEAD_LETTERS_ARN;
