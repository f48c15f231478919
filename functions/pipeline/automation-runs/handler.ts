import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { performRun } from '#domain/automations/perform-run.ts';
import type { AutomationRun } from '#domain/automations/run.ts';
import { finishRun, keepGivenUpRun, parseRunMessage, readRun, reopenRun } from '#domain/automations/run-store.ts';
import { clockOf } from '#domain/simulations/clock.ts';
import { withCauseOf } from '#platform/correlation.ts';
import { logger } from '#platform/logging.ts';
import { handleEach } from '#platform/message-batch.ts';

/** Performs automation runs from their queue. It also reads their dead-letter queue and ends those runs as failed. */
export async function handler(event: SQSEvent): Promise<SQSBatchResponse> {
  const { response, failures, correlations } = await handleEach(event, handleRecord);
  const counts = { messages: event.Records.length, again: failures.size, correlation_ids: correlations };
  if (failures.size === 0) logger.info('automation runs', counts);
  else logger.warn('automation runs', { ...counts, reasons: [...failures.values()] });
  return response;
}

async function handleRecord(record: SQSRecord): Promise<void> {
  const message = parseRunMessage(record.body);
  if (!message) {
    if (isDeadLetter(record)) return;
    throw Object.assign(new Error('The message is none of ours.'), { name: 'Malformed' });
  }
  const found = await readRun(message);
  const run = found && message.given_up && isGivenUp(found) ? await reopenRun(found) : found;
  // The run has expired or has finished, so the message is a repeated one.
  if (run?.finished_at !== null) return;
  if (!isDeadLetter(record)) return withCauseOf(run.event, () => performNow(run));
  // First the message is kept, so that an operator can send it again.
  await keepGivenUpRun(message);
  await finishRun(run, { status: 'failed', reason: 'given_up' }, new Date());
}

async function performNow(run: AutomationRun): Promise<void> {
  const present = new Date();
  const now = await clockOf(run.shop_slug, { simulation_id: run.event.simulation?.id }, present);
  await performRun(run, now, { present });
}

const isGivenUp = ({ status, reason }: AutomationRun) => status === 'failed' && reason === 'given_up';

const isDeadLetter = ({ eventSourceARN }: SQSRecord) => eventSourceARN === process.env.RUN_DEAD_LETTERS_ARN;
