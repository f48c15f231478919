import { createPlainClient } from '#schemas/client/client.ts';
import {
  ApiError,
  ConnectionError,
  type FieldError,
  type OperationId,
  type Operations,
} from '#schemas/client/index.ts';
import { isSessionOver } from './session-over.ts';

export type { OperationId } from '#schemas/client/index.ts';

/** The slug of the shop is taken from the address unless it is given. Filters come from the address, as text. */
export interface Call<Id extends OperationId> {
  params?: Partial<Operations[Id]['params']>;
  query?: { [Name in keyof NonNullable<Operations[Id]['query']>]?: string | number | boolean | undefined };
  body?: Operations[Id]['body'];
  /** The state that a change is based on: the change is refused if somebody changed it since. */
  ifMatch?: string | undefined;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
}

export type Answer<Id extends OperationId> = Operations[Id]['answer'];

/** What went wrong, in words for people, and what is needed to ask for help. */
export class Failure extends Error {
  /** `network`: the service could not be reached. `slow`: it did not answer in time. */
  readonly kind: 'api' | 'network' | 'slow';
  readonly status: number;
  readonly key: string;
  readonly faults: readonly FieldError[];
  readonly correlationId: string | undefined;

  constructor(
    kind: Failure['kind'],
    more: Partial<Pick<Failure, 'status' | 'key' | 'message' | 'faults' | 'correlationId'>>,
  ) {
    super(more.message ?? '');
    this.name = 'Failure';
    this.kind = kind;
    this.status = more.status ?? 0;
    this.key = more.key ?? kind;
    this.faults = more.faults ?? [];
    this.correlationId = more.correlationId;
  }
}

export const maxWaitMs = 30_000;

/** Who wants to know that the session is over or a call failed, and which shop the address names. */
export const surroundings = {
  onSessionOver: () => {},
  shop: (): string | undefined => undefined,
  /** Loads the words for what the service answers. */
  beforeFailure: (): Promise<unknown> => Promise.resolve(),
};

/** Somebody waits in front of the screen and can try again, so nothing is repeated. */
export const client = createPlainClient({ shop: () => surroundings.shop(), timeoutMs: maxWaitMs, retries: 0 });

/** Calls an operation of the API with the cookie of the session. */
export async function call<Id extends OperationId>(id: Id, input: Call<Id> = {}): Promise<Answer<Id>> {
  return (await callWithEtag(id, input)).answer;
}

/** For what has no `updated_at` of its own. */
export async function callWithEtag<Id extends OperationId>(
  id: Id,
  { query, ...input }: Call<Id> = {},
): Promise<{ answer: Answer<Id>; etag: string | undefined }> {
  try {
    return await client.respond(id, { ...input, query: given(query) } as never);
  } catch (error) {
    throw await failureOf(error);
  }
}

/** An empty filter is none. */
const given = (query: object = {}) => Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));

/** The address of an operation. */
export const addressOf = (id: OperationId): string => client.address(id);

/** An aborted call stays what it is. */
export async function failureOf(error: unknown): Promise<unknown> {
  if (error instanceof ConnectionError) return new Failure(error.isTimeout ? 'slow' : 'network', {});
  if (!(error instanceof ApiError)) return error;
  const { status, key, errors: faults, correlationId } = error;
  if (isSessionOver(status, key)) surroundings.onSessionOver();
  // Without its words, a failure is shown in those of the service.
  await surroundings.beforeFailure().catch(() => {});
  // The console has words of its own for an answer that is not from the service.
  const message = key.startsWith('http_') ? '' : error.message;
  return new Failure('api', { status, key, message, faults, correlationId });
}
