import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { type Handled, handleBatch } from '#platform/message-batch.ts';
import { mailReportIn } from './mail-report.ts';
import { recordReport } from './record-report.ts';

/** Records what SES tells about mails: an address that does not exist, or a customer who complains, gets no more of them. */
export const handler = (event: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
  const kinds: Record<string, number> = {};
  const handle = async ({ body }: SQSRecord): Promise<Handled> => {
    const report = mailReportIn(body);
    if (!report) return 'nothing_to_do';
    await recordReport(report, new Date());
    // The runbook asks which shop it is.
    const name = `${report.feedback.kind} ${report.shop}`;
    kinds[name] = (kinds[name] ?? 0) + 1;
  };
  return handleBatch(event, handle, queue, context.getRemainingTimeInMillis(), { kinds });
};

const logged = 'email events';
const queue = { logged, variable: 'EMAIL_EVENTS_QUEUE_URL', failures: 'EMAIL_EVENTS_FAILURES_QUEUE_URL' };
