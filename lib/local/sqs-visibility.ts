import { AwsError } from './aws-error.ts';
import type { Answer } from './forward.ts';

/**
 * AWS counts a message's visibility from its receipt and refuses more than 12 hours in all; fauxqs looks only at the
 * single change. A back-off that forgets the time already elapsed must fail here as it would there.
 */
export interface VisibilityLimit {
  /** Sends the request, without the changes that AWS would refuse. */
  pass(operation: string, body: Record<string, unknown>, send: (body: Buffer) => Promise<Answer>): Promise<Answer>;
  received(receiptHandle: string): void;
  removed(receiptHandle: string): void;
}

interface Change {
  Id?: string;
  ReceiptHandle?: string;
  VisibilityTimeout?: number;
}

const limitSeconds = 43_200;
// SQS holds no more messages than this in flight.
const inFlightLimit = 120_000;

export function createVisibilityLimit(now: () => number = Date.now): VisibilityLimit {
  const receivedAt = new Map<string, number>();

  const remember = (handle: string): void => {
    const [oldest] = receivedAt.keys();
    if (receivedAt.size >= inFlightLimit && oldest !== undefined) receivedAt.delete(oldest);
    receivedAt.set(handle, now());
  };

  const exceeds = ({ ReceiptHandle = '', VisibilityTimeout = 0 }: Change): boolean => {
    const received = receivedAt.get(ReceiptHandle);
    return (
      received !== undefined && VisibilityTimeout > 0 && (now() - received) / 1000 + VisibilityTimeout > limitSeconds
    );
  };

  const changeMany = async (
    body: Record<string, unknown>,
    send: (body: Buffer) => Promise<Answer>,
  ): Promise<Answer> => {
    const entries = (body.Entries ?? []) as Change[];
    const refused = entries.filter(exceeds);
    if (refused.length === 0) return send(toBuffer(body));
    const rest = entries.filter((entry) => !refused.includes(entry));
    const answer = rest.length > 0 ? await send(toBuffer({ ...body, Entries: rest })) : emptyAnswer;
    if (answer.status !== 200) return answer;
    const { Successful = [], Failed = [] } = parse(answer.body) as { Successful?: unknown[]; Failed?: unknown[] };
    const failures = refused.map(({ Id, VisibilityTimeout }) => ({
      Id,
      SenderFault: true,
      Code: 'InvalidParameterValue',
      Message: beyondLimit(VisibilityTimeout),
    }));
    const merged = toBuffer({ Successful, Failed: [...Failed, ...failures] });
    return { ...answer, headers: { ...answer.headers, 'content-length': merged.length }, body: merged };
  };

  const pass: VisibilityLimit['pass'] = async (operation, body, send) => {
    if (operation === 'ChangeMessageVisibilityBatch') return changeMany(body, send);
    if (operation === 'ChangeMessageVisibility' && exceeds(body)) {
      throw new AwsError('InvalidParameterValue', beyondLimit((body as Change).VisibilityTimeout));
    }
    const answer = await send(toBuffer(body));
    if (operation === 'ReceiveMessage' && answer.status === 200) {
      const { Messages } = parse(answer.body) as { Messages?: { ReceiptHandle: string }[] };
      for (const { ReceiptHandle } of Messages ?? []) remember(ReceiptHandle);
    }
    if (operation === 'DeleteMessage') receivedAt.delete(String(body.ReceiptHandle));
    return answer;
  };

  return { pass, received: remember, removed: (handle) => receivedAt.delete(handle) };
}

const emptyAnswer: Answer = {
  status: 200,
  headers: { 'content-type': 'application/x-amz-json-1.0' },
  body: Buffer.from('{}'),
};

function beyondLimit(value: number | undefined): string {
  return `Value ${value} for parameter VisibilityTimeout is invalid. Reason: Total VisibilityTimeout for the message is beyond the limit [${limitSeconds} seconds].`;
}

function parse(body: Buffer): Record<string, unknown> {
  return JSON.parse(body.toString('utf8') || '{}') as Record<string, unknown>;
}

function toBuffer(body: Record<string, unknown>): Buffer {
  return Buffer.from(JSON.stringify(body));
}
