import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { finishRun, parseRunMessage, readRun } from '#domain/automations/run-store.ts';
import { logger } from '#platform/logging.ts';
import { handleEach } from '#platform/message-batch.ts';
import { performRun } from './act.ts';

/** Runs of automations from their queue, and those that the queue gave up on. */
export async function handler(event: SQSEvent): Promise<SQSBatchResponse> {
  const { response, failures } = await handleEach(event, work);
  const counts = { messages: event.Records.length, again: failures.size };
  if (failures.size === 0) logger.info('automation runs', counts);
  else logger.warn('automation runs', { ...counts, reasons: [...failures.values()] });
  return response;
}

async function work(record: SQSRecord): Promise<void> {
  const message = parseRunMessage(record.body);
  if (!message) {
    if (isDeadLetter(record)) return;
    throw Object.assign(new Error('The message is none of ours.'), { name: 'Malformed' });
  }
  const run = await readRun(message);
  // Gone by its time to live, or done: a repeated message.
  if (run?.finished_at !== null) return;
  if (isDeadLetter(record)) await finishRun(run, { status: 'failed', reason: 'given_up' }, new Date());
  else await performRun(run, new Date());
}

const isDeadLetter = ({ eventSourceARN }: SQSRecord) => eventSourceARN === process.env.RUN_DEAD_LETTERS_ARN;
