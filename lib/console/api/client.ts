import { operations } from 'console:operations';
import type { ErrorBody, FieldError } from '#schemas/catalogues/errors.ts';
import type { OperationsById } from '#schemas/families/index.ts';
import type { Input, Operation, Output } from '#schemas/families/operation.ts';
import { isSessionOver } from './session-over.ts';

export type OperationId = keyof OperationsById;

type OperationOf<Id extends OperationId> = Extract<OperationsById[Id], Operation>;

/** The slug of the shop is taken from the address unless it is given. Fields with a default may be left out. */
export interface Call<Id extends OperationId> {
  params?: Partial<Input<OperationOf<Id>>['params']>;
  query?: { [Name in keyof Input<OperationOf<Id>>['query']]?: string | number | boolean | undefined };
  body?: Partial<Input<OperationOf<Id>>['body']> | FormData;
  /** The state that a change is based on: the change is refused if somebody changed it since. */
  ifMatch?: string | undefined;
  signal?: AbortSignal | undefined;
}

export type Answer<Id extends OperationId> = Output<OperationOf<Id>>;

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

/** Who wants to know that the session is over, and which shop the address names. */
export const surroundings = {
  onSessionOver: () => {},
  shop: (): string | undefined => undefined,
};

/** Calls an operation of the API with the cookie of the session. */
export async function call<Id extends OperationId>(id: Id, input: Call<Id> = {}): Promise<Answer<Id>> {
  return (await callWithEtag(id, input)).answer;
}

/** For what has no `updated_at` of its own. */
export async function callWithEtag<Id extends OperationId>(
  id: Id,
  input: Call<Id> = {},
): Promise<{ answer: Answer<Id>; etag: string | undefined }> {
  const { params, query, body, ifMatch, signal } = input;
  const [method] = operations[id]!.split(' ');
  const isForm = body instanceof FormData;
  const timeout = AbortSignal.timeout(maxWaitMs);
  const request: RequestInit = {
    method: method!,
    credentials: 'same-origin',
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    headers: {
      Accept: 'application/json',
      ...(body !== undefined && !isForm && { 'Content-Type': 'application/json' }),
      ...(ifMatch !== undefined && { 'If-Match': `"${ifMatch}"` }),
    },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
  };
  const address = addressOf(id, params as Params, query as Params);
  try {
    const response = await fetch(address, request);
    if (!response.ok) throw await failureOf(response);
    const text = await response.text();
    const etag = response.headers.get('etag')?.replaceAll('"', '');
    return { answer: (text === '' ? null : JSON.parse(text)) as Answer<Id>, etag };
  } catch (error) {
    // A body that breaks off, or that something between us and the service wrote, counts as no answer.
    if (signal?.aborted || error instanceof Failure) throw error;
    throw new Failure(timeout.aborted ? 'slow' : 'network', {});
  }
}

type Params = Record<string, string | number | boolean | undefined> | undefined;

/** The address of an operation. */
export function addressOf(id: OperationId, params: Params = {}, query: Params = {}): string {
  const [, path] = operations[id]!.split(' ');
  const all: Params = { slug: surroundings.shop(), ...params };
  const filled = path!.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(all[name] ?? '')));
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? filled : `${filled}?${text}`;
}

async function failureOf(response: Response): Promise<Failure> {
  const body = (await response.json().catch(() => ({}))) as Partial<ErrorBody>;
  if (isSessionOver(response.status, body.key)) surroundings.onSessionOver();
  return new Failure('api', {
    status: response.status,
    key: body.key ?? `http_${response.status}`,
    message: body.message ?? '',
    faults: body.errors ?? [],
    correlationId: response.headers.get('x-correlation-id') ?? undefined,
  });
}
