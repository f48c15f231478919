import type { Access } from '../iam/evaluate.ts';
import type { Principal } from '../iam/principals.ts';

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

/** Counts the AWS requests and capacity of functions, so tests can check the cost of an operation. */
export interface Recorder {
  start(): void;
  /** The usage since the start or the last take. */
  take(): Usage[];
  /** The changed request that also asks for the consumed capacity, if that is needed. */
  prepare(call: Call): Record<string, unknown> | undefined;
  record(call: Call, answer: Buffer): void;
  /** The permissions that a function used since the start. The same action on keys with the same prefix counts once. */
  accesses(functionId: string): Access[];
  recordAccesses(principal: Principal, accesses: readonly Access[]): void;
}

const readActions = new Set(['GetItem', 'BatchGetItem', 'TransactGetItems', 'Query', 'Scan']);
export const writeActions = new Set(['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem', 'TransactWriteItems']);
const maxRecorded = 100_000;

export function createRecorder(): Recorder {
  let isRecording = false;
  let usages: Usage[] = [];
  const accesses = new Map<string, { functionId: string; access: Access }>();
  return {
    start: () => {
      isRecording = true;
      usages = [];
      accesses.clear();
    },
    accesses: (functionId) =>
      [...accesses.values()].filter((one) => one.functionId === functionId).map(({ access }) => access),
    recordAccesses: ({ functionId }, allowed) => {
      if (!isRecording || functionId === undefined || accesses.size >= maxRecorded) return;
      for (const access of allowed) accesses.set(`${functionId} ${kindOf(access)}`, { functionId, access });
    },
    take: () => usages.splice(0),
    prepare: ({ service, operation, principal, json }) => {
      if (service !== 'dynamodb') return undefined;
      const isMeasured =
        isRecording &&
        principal.functionId !== undefined &&
        (readActions.has(operation) || writeActions.has(operation));
      return isMeasured ? { ...json, ReturnConsumedCapacity: detailOf(json) } : undefined;
    },
    record: ({ service, operation, principal }, answer) => {
      if (!isRecording || principal.functionId === undefined || usages.length >= maxRecorded) return;
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

/** Policies only look at the prefix of keys. */
function kindOf({ action, resource, context }: Access): string {
  const kinds = Object.entries(context).map(([name, values]) => [
    name,
    values.map((value) => value.replace(/#.*$/s, '')),
  ]);
  return JSON.stringify([action, resource.replace(/[^/]*$/, ''), kinds]);
}

function detailOf({ ReturnConsumedCapacity: requested }: Record<string, unknown>): string {
  return requested === 'INDEXES' ? requested : 'TOTAL';
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
