import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { performRun } from '#domain/automations/perform-run.ts';
import type { AutomationRun } from '#domain/automations/run.ts';
import { finishRun, keepGivenUpRun, parseRunMessage, readRun, reopenRun } from '#domain/automations/run-store.ts';
import { clockOf } from '#domain/orders/simulated.ts';
import { withCauseOf } from '#platform/correlation.ts';
import { keepWhole } from '#platform/failed-messages.ts';
import { logger } from '#platform/logging.ts';
import { type Handled, handleBatch, handleEach } from '#platform/message-batch.ts';
import { RecordFault } from '#platform/verdicts.ts';

/** Performs automation runs from their queue. It also reads their dead-letter queue and ends those runs as failed. */
export async function handler(event: SQSEvent, context: Context): Promise<SQSBatchResponse> {
  return isOfDeadLetters(event) ? giveUpAll(event) : performAll(event, context);
}

const performAll = (event: SQSEvent, context: Context) =>
  handleBatch(event, perform, queue, context.getRemainingTimeInMillis());

const logged = 'automation runs';
const queue = { logged, variable: 'AUTOMATION_RUN_QUEUE_URL', failures: 'GIVEN_UP_RUNS_QUEUE_URL', putAside: giveUp };

async function perform({ body }: SQSRecord): Promise<Handled> {
  const message = parseRunMessage(body);
  if (!message) throw new RecordFault('Malformed');
  const found = await readRun(message);
  const run = found && message.given_up && isGivenUp(found) ? await reopenRun(found) : found;
  // The run has expired or has finished, so the message is a repeated one.
  if (run?.finished_at !== null) return 'nothing_to_do';
  const present = new Date();
  const now = await clockOf(run.shop_slug, { simulation_id: run.event.simulation?.id }, present);
  await withCauseOf(run.event, () => performRun(run, now, { present }));
  return undefined;
}

async function giveUpAll(event: SQSEvent): Promise<SQSBatchResponse> {
  const { response, failures } = await handleEach(event, (record) => giveUp(record, 'given_up'));
  logger.warn('automation runs given up', { messages: event.Records.length, reasons: [...failures.values()] });
  return response;
}

async function giveUp(record: SQSRecord, reason: string): Promise<void> {
  const message = parseRunMessage(record.body);
  if (!message) return keepWhole(record, queue.failures, reason);
  const run = await readRun(message);
  if (run?.finished_at !== null) return;
  // First the message is kept, so that an operator can send it again.
  await keepGivenUpRun(message, reason);
  await finishRun(run, { status: 'failed', reason: 'given_up' }, new Date());
}

const isGivenUp = ({ status, reason }: AutomationRun) => status === 'failed' && reason === 'given_up';

/** A batch comes from one queue. */
const isOfDeadLetters = ({ Records }: SQSEvent) => Records[0]?.eventSourceARN === process.env.RUN_DEAD_LETTERS_ARN;
