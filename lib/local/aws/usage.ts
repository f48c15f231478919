import type { KeyHeat } from '../dynamodb/capacity.ts';
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
  /** The method and resource of API Gateway that it served, if it did. */
  route?: string;
  /** The same units by partition key, if the recorder was started for it. */
  heat?: Heat[];
}

/** What a partition key of the table or of an index took of one request. */
interface Heat {
  /** `table`, or the name of an index. */
  place: string;
  key: string;
  readUnits: number;
  writeUnits: number;
}

interface Call {
  service: string;
  operation: string;
  principal: Principal;
  json: Record<string, unknown>;
}

/** Counts the AWS requests and capacity of functions, so tests can check the cost of an operation. */
export interface Recorder {
  start(options?: { heat: boolean }): void;
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
  let takesHeat = false;
  let usages: Usage[] = [];
  const accesses = new Map<string, { functionId: string; access: Access }>();
  return {
    start: ({ heat } = { heat: false }) => {
      isRecording = true;
      takesHeat = heat;
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
      if (!isMeasured) return undefined;
      return { ...json, ReturnConsumedCapacity: detailOf(json), ...(takesHeat && { ReturnHeat: true }) };
    },
    record: ({ service, operation, principal }, answer) => {
      if (!isRecording || principal.functionId === undefined || usages.length >= maxRecorded) return;
      const { units, heat } = service === 'dynamodb' ? consumedIn(answer) : { units: 0, heat: [] };
      const unitsOf = (count: number) => ({
        readUnits: readActions.has(operation) ? count : 0,
        writeUnits: writeActions.has(operation) ? count : 0,
      });
      const { requestId, route } = principal.invocation() ?? {};
      usages.push({
        functionId: principal.functionId,
        service,
        action: operation,
        ...unitsOf(units),
        ...(takesHeat && { heat: heat.map(({ place, key, units }) => ({ place, key, ...unitsOf(units) })) }),
        ...(requestId === undefined ? {} : { requestId }),
        ...(route === undefined ? {} : { route }),
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

interface Consumed {
  ConsumedCapacity?: Units | readonly Units[];
  Heat?: KeyHeat[];
}

interface Units {
  CapacityUnits?: number;
}

function consumedIn(answer: Buffer): { units: number; heat: KeyHeat[] } {
  const { ConsumedCapacity: consumed = [], Heat: heat = [] } = parsed(answer);
  const parts: readonly Units[] = [consumed].flat();
  return { units: parts.reduce((sum, part) => sum + (part.CapacityUnits ?? 0), 0), heat };
}

function parsed(answer: Buffer): Consumed {
  try {
    return JSON.parse(answer.toString('utf8')) as Consumed;
  } catch {
    return {};
  }
}
