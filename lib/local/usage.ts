import type { Principal } from './principals.ts';

export interface Usage {
  /** The logical id of the function. */
  functionId: string;
  service: string;
  action: string;
  readUnits: number;
  writeUnits: number;
  /** The Lambda request that caused it. */
  requestId?: string;
}

interface Call {
  service: string;
  operation: string;
  principal: Principal;
  json: Record<string, unknown>;
}

/** Counts what functions use of AWS, so that the cost of an operation can be a contract. */
export interface Recorder {
  start(): void;
  /** What was recorded since the start or the last take. */
  take(): Usage[];
  /** The content to send instead, when the consumed capacity must be asked for. */
  prepare(call: Call): Record<string, unknown> | undefined;
  record(call: Call, answer: Buffer): void;
}

const readActions = new Set(['GetItem', 'BatchGetItem', 'TransactGetItems', 'Query', 'Scan']);
export const writeActions = new Set(['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem', 'TransactWriteItems']);
const limit = 100_000;

export function createRecorder(): Recorder {
  let on = false;
  let usages: Usage[] = [];
  return {
    start: () => {
      on = true;
      usages = [];
    },
    take: () => usages.splice(0),
    prepare: ({ service, operation, principal, json }) => {
      if (service !== 'dynamodb') return undefined;
      const asks =
        on && principal.functionId !== undefined && (readActions.has(operation) || writeActions.has(operation));
      return asks ? { ...json, ReturnConsumedCapacity: detailOf(json) } : undefined;
    },
    record: ({ service, operation, principal }, answer) => {
      if (!on || principal.functionId === undefined || usages.length >= limit) return;
      const units = service === 'dynamodb' ? consumedUnits(answer) : 0;
      const requestId = principal.invocation();
      usages.push({
        functionId: principal.functionId,
        service,
        action: operation,
        readUnits: readActions.has(operation) ? units : 0,
        writeUnits: writeActions.has(operation) ? units : 0,
        ...(requestId === undefined ? {} : { requestId }),
      });
    },
  };
}

function detailOf({ ReturnConsumedCapacity: asked }: Record<string, unknown>): string {
  return asked === 'INDEXES' ? asked : 'TOTAL';
}

function consumedUnits(answer: Buffer): number {
  let consumed: unknown;
  try {
    ({ ConsumedCapacity: consumed } = JSON.parse(answer.toString('utf8')) as { ConsumedCapacity?: unknown });
  } catch {
    return 0;
  }
  const parts = (Array.isArray(consumed) ? consumed : [consumed]) as ({ CapacityUnits?: number } | undefined)[];
  return parts.reduce((sum, part) => sum + (part?.CapacityUnits ?? 0), 0);
}
