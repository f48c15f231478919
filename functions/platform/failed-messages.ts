import type { SQSBatchResponse, SQSRecord } from 'aws-lambda';
import { retriedQueueLimits, secondsOfDays } from '#schemas/catalogues/limits.ts';
import { ownMetrics } from '#schemas/catalogues/metrics.ts';
import { chunks, mapConcurrently } from './batches.ts';
import { required, retryBaseSeconds } from './environment.ts';
import { logger, measureSeconds } from './logging.ts';
import { maxEntries, sendAll, sqsClient } from './queue.ts';
import { type Outcome, type Verdict, verdictsOn } from './verdicts.ts';

/**
 * What becomes of the messages of a queue that could not be handled. One that fails by an outage waits in its queue,
 * with growing pauses, for as long as the queue keeps it. One that can never be handled is put aside.
 */

export interface RetriedQueue {
  /** What the log calls a batch of its messages. */
  logged: string;
  /** The environment variable with the URL of the queue. */
  variable: string;
  /** The environment variable with the URL of the queue for what can never be handled. */
  failures: string;
  /** Puts a message aside, if more is to be done than to keep it whole. */
  putAside?: (message: SQSRecord, reason: string) => Promise<void>;
}

export interface MessageOutcome extends Outcome {
  message: SQSRecord;
}

export interface Settled {
  response: SQSBatchResponse;
  /** Why a message comes again, by its id: the name of the error, never its text, which may contain customer data. */
  again: Map<string, string>;
  /** Why a message was put aside, by its id. */
  putAside: Map<string, string>;
}

const triedForMs = secondsOfDays(retriedQueueLimits.triedForDays) * 1000;

/** For this, when the messages of a batch are handled. */
export const reservedMs = 8_000;

export async function settle(outcomes: readonly MessageOutcome[], queue: RetriedQueue, now: Date): Promise<Settled> {
  const verdicts = verdictsOfMessages(outcomes, now);
  const again: MessageOutcome[] = [];
  const putAside = new Map<string, string>();
  await mapConcurrently(outcomes.entries(), async ([position, outcome]) => {
    if (verdicts[position] === 'done') return;
    const isKept = verdicts[position] === 'put_aside' && (await isPutAside(outcome, queue));
    if (isKept) putAside.set(outcome.message.messageId, reasonOf(outcome));
    else again.push(outcome);
  });
  if (again.length > 0) await delay(again, queue, now);
  return {
    response: { batchItemFailures: again.map(({ message }) => ({ itemIdentifier: message.messageId })) },
    again: new Map(again.map((outcome) => [outcome.message.messageId, reasonOf(outcome)])),
    putAside,
  };
}

export const verdictsOfMessages = (outcomes: readonly MessageOutcome[], now: Date): Verdict[] =>
  verdictsOn(outcomes, ({ message }) => ageOf(message, now), triedForMs);

const ageOf = ({ attributes }: SQSRecord, now: Date): number => now.getTime() - Number(attributes.SentTimestamp);

const reasonOf = ({ error }: MessageOutcome): string => (error as Error).name;

/** False if it could not be kept. Then it stays in its queue. */
async function isPutAside(outcome: MessageOutcome, queue: RetriedQueue): Promise<boolean> {
  const { message } = outcome;
  const about = { message_id: message.messageId, reason: reasonOf(outcome) };
  try {
    if (queue.putAside) await queue.putAside(message, about.reason);
    else await keepWhole(message, queue.failures, about.reason);
    logger.error('message put aside', about);
    return true;
  } catch (keeping) {
    logger.warn('message not put aside', { ...about, keeping: (keeping as Error).name });
    return false;
  }
}

/** As it came, so that an operator can send it again. */
export const keepWhole = (message: SQSRecord, variable: string, reason: string): Promise<void> =>
  sendAll([message], {
    variable,
    groupOf: ({ attributes }) => attributes.MessageGroupId,
    contentOf: ({ body }) => body,
    attributesOf: () => ({ reason }),
  });

/** If the queue refuses this, the messages come again after its visibility timeout. */
async function delay(outcomes: readonly MessageOutcome[], { variable }: RetriedQueue, now: Date): Promise<void> {
  const ages = outcomes.map(({ message }) => ageOf(message, now));
  // The age that SQS reports leaves out messages that were received three times.
  await measureSeconds(ownMetrics.oldestFailingMessage, Math.round(Math.max(...ages) / 1000));
  try {
    const { ChangeMessageVisibilityBatchCommand } = await import('@aws-sdk/client-sqs');
    for (const some of chunks(outcomes, maxEntries)) {
      const Entries = some.map(({ message }, i) => ({
        Id: String(i),
        ReceiptHandle: message.receiptHandle,
        VisibilityTimeout: pauseSeconds(Number(message.attributes.ApproximateReceiveCount)),
      }));
      await (await sqsClient()).send(
        new ChangeMessageVisibilityBatchCommand({ QueueUrl: required(variable), Entries }),
      );
    }
  } catch (error) {
    logger.warn('back-off not set', { messages: outcomes.length, reason: (error as Error).name });
  }
}

/** 10 s, 20 s, 40 s, … after so many receives. */
export const pauseSeconds = (receives: number): number =>
  Math.min(Math.ceil(retryBaseSeconds() * 2 ** (receives - 1)), retriedQueueLimits.longestPauseSeconds);
