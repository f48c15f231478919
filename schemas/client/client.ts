import { ApiError, ConnectionError } from './errors.ts';
import { operations } from './operations.ts';
import type { Operations } from './types.ts';
import { maxWaitSeconds, wait } from './wait.ts';

export type OperationId = keyof Operations;

export interface ClientOptions {
  /** Where the service is, such as `https://api.example.com`. Default: the server that the page is from. */
  baseUrl?: string | undefined;
  /** `username:secret`. Without it, a browser sends the cookie of its session. */
  key?: string | undefined;
  /** The shop that calls are about unless they name another one. */
  shop?: string | (() => string | undefined) | undefined;
  /** How long an answer may take. Default: 30 seconds. */
  timeoutMs?: number | undefined;
  /**
   * How often a call is repeated if that is safe: after 429, and if a GET gets no answer or one of 502, 503 and 504.
   * Default: 2.
   */
  retries?: number | undefined;
  fetch?: typeof fetch | undefined;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  headers?: Record<string, string> | undefined;
}

export type Part<Name extends string, T> = [T] extends [undefined]
  ? { [N in Name]?: undefined }
  : Record<never, never> extends T
    ? { [N in Name]?: T | undefined }
    : { [N in Name]: T };

export type WithKnown<T, Known extends string> = Omit<T, Known> & Partial<Pick<T, Known & keyof T>>;

/** What a call takes. `Known` names the path parameters that the client fills in itself. */
export type CallInput<Id extends OperationId, Known extends string = never> = Part<
  'params',
  WithKnown<Operations[Id]['params'], Known>
> &
  Part<'query', Operations[Id]['query']> &
  Part<'body', Operations[Id]['body']> & {
    /** The state that a change is based on: its `updated_at`, or the `etag` of what was read. */
    ifMatch?: Operations[Id]['ifMatch'] | undefined;
  } & CallOptions;

export type Answer<Id extends OperationId> = Operations[Id]['answer'];

type Arguments<Id extends OperationId, Known extends string> =
  Record<never, never> extends CallInput<Id, Known> ? [input?: CallInput<Id, Known>] : [input: CallInput<Id, Known>];

type PagedId = {
  [Id in OperationId]: Operations[Id]['query'] extends { page?: unknown } ? Id : never;
}[OperationId];

/** One entry of a list: the answer is the list, or has it as a field. */
type Entry<T> = T extends readonly (infer Element)[] ? Element : Extract<T[keyof T], readonly unknown[]>[number];

/** A response with what its body does not say. */
export interface Responded<T> {
  answer: T;
  /** Without its quotes, as `ifMatch` takes it. */
  etag: string | undefined;
  status: number;
  correlationId: string | undefined;
}

export interface RawRequest extends CallOptions {
  method: string;
  /** Below the base URL. */
  path: string;
  query?: object | undefined;
  /** Text, bytes and forms are sent as they are, an object with a Blob as a form, and everything else as JSON. */
  body?: unknown;
  redirect?: RequestInit['redirect'] | undefined;
}

export interface RawResponse {
  status: number;
  headers: Headers;
  text: string;
  /** Parsed if it is JSON, else the text. */
  body: unknown;
}

/** Every operation is a method: `client.upsertOrder({ … })`. The whole client is in create-client.ts. */
export type PlainClient<Known extends string = never> = {
  [Id in OperationId]: (...input: Arguments<Id, Known>) => Promise<Answer<Id>>;
} & {
  call<Id extends OperationId>(id: Id, ...input: Arguments<Id, Known>): Promise<Answer<Id>>;
  /** Like `call`, and also tells the ETag. */
  respond<Id extends OperationId>(id: Id, ...input: Arguments<Id, Known>): Promise<Responded<Answer<Id>>>;
  /** All entries of a list, page after page. It begins at `query.page`, and `query.per_page` is 100 unless it is given. */
  paged<Id extends PagedId>(id: Id, ...input: Arguments<Id, Known>): AsyncGenerator<Entry<Answer<Id>>, void, undefined>;
  /** The address of an operation, for a link or a form. */
  address(id: OperationId, input?: { params?: object | undefined; query?: object | undefined }): string;
  /** Any request, without types. It does not throw if the service refuses it, and it is never repeated. */
  send(request: RawRequest): Promise<RawResponse>;
};

export const usualTimeoutMs = 30_000;

/** Without the feed, which the console does not follow. */
export function createPlainClient(
  options: ClientOptions & { shop: NonNullable<ClientOptions['shop']> },
): PlainClient<'slug'>;
export function createPlainClient(options?: ClientOptions): PlainClient;
export function createPlainClient(options: ClientOptions = {}): PlainClient {
  const { key, shop, timeoutMs = usualTimeoutMs, retries = 2, fetch: send_ = fetch } = options;
  const baseUrl = (options.baseUrl ?? '').replace(/\/+$/, '');
  const known = () => ({ slug: typeof shop === 'function' ? shop() : shop });

  const address = (id: string, { params, query }: Loose = {}): string =>
    baseUrl + withQuery(pathOf(id, { ...known(), ...params }), query);

  async function send(request: RawRequest): Promise<RawResponse> {
    const { method, path, query, body, headers, signal, redirect } = request;
    const timeout = AbortSignal.timeout(timeoutMs);
    const content = contentOf(body);
    try {
      const response = await send_(baseUrl + withQuery(path, query), {
        method,
        headers: { ...content.headers, ...(key !== undefined && { authorization: basic(key) }), ...headers },
        body: content.body ?? null,
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        ...(redirect && { redirect }),
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, text, body: parsed(response, text) };
    } catch (cause) {
      if (signal?.aborted) throw cause;
      const isTimeout = timeout.aborted;
      const message = isTimeout ? `There was no answer in ${timeoutMs} ms.` : 'The service could not be reached.';
      throw new ConnectionError(message, { isTimeout, cause });
    }
  }

  async function respond(id: string, input: Loose = {}): Promise<Responded<unknown>> {
    const [method, , , kind] = entryOf(id);
    const { params, query, body, ifMatch, headers, signal } = input;
    const request: RawRequest = {
      method: method!,
      path: pathOf(id, { ...known(), ...params }),
      query,
      body,
      headers: {
        ...(kind !== 'text' && { accept: 'application/json' }),
        ...(ifMatch !== undefined && { 'if-match': `"${ifMatch}"` }),
        ...headers,
      },
      signal,
    };
    const response = await repeated(() => send(request), { isSafe: method === 'GET', retries, signal });
    if (response.status >= 400) throw new ApiError(response);
    return {
      answer: kind === 'text' ? response.text : jsonIn(response),
      etag: response.headers.get('etag')?.replaceAll('"', ''),
      status: response.status,
      correlationId: response.headers.get('x-correlation-id') ?? undefined,
    };
  }

  const call = async (id: string, input?: Loose) => (await respond(id, input)).answer;

  async function* paged(id: string, input: Loose = {}) {
    const { page = 1, per_page = 100 } = (input.query ?? {}) as { page?: number; per_page?: number };
    const headers = { 'reader-id': crypto.randomUUID(), ...input.headers };
    for (let number = page; ; number++) {
      const answer = await call(id, { ...input, headers, query: { ...input.query, page: number, per_page } });
      const entries = entriesOf(answer);
      yield* entries;
      if (entries.length < per_page) return;
    }
  }

  const own: Record<string, unknown> = { call, respond, paged, address, send };
  const get = (_: object, name: string | symbol) => {
    if (typeof name !== 'string' || Object.hasOwn(own, name)) return own[name as string];
    return Object.hasOwn(operations, name) ? (input?: Loose) => call(name, input) : undefined;
  };
  return new Proxy({}, { get }) as PlainClient;
}

/** The input of any call. */
interface Loose extends CallOptions {
  params?: object | undefined;
  query?: object | undefined;
  body?: unknown;
  ifMatch?: string | undefined;
}

function entryOf(id: string): string[] {
  if (!Object.hasOwn(operations, id)) throw new TypeError(`There is no operation ${id}.`);
  return operations[id]!.split(' ');
}

function pathOf(id: string, params: Record<string, unknown>): string {
  return entryOf(id)[1]!.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    // An empty part would lead to another operation.
    if (value === undefined || value === '') throw new TypeError(`${id} needs the parameter ${name}.`);
    return encodeURIComponent(String(value));
  });
}

function withQuery(path: string, query: object = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  const text = new URLSearchParams(Object.fromEntries(given)).toString();
  return text === '' ? path : `${path}?${text}`;
}

type Content = { body?: NonNullable<RequestInit['body']>; headers?: Record<string, string> };

function contentOf(body: unknown): Content {
  if (body === undefined) return {};
  const isAsItIs =
    typeof body === 'string' ||
    ArrayBuffer.isView(body) ||
    [FormData, URLSearchParams, Blob].some((kind) => body instanceof kind);
  if (isAsItIs) return { body: body as NonNullable<RequestInit['body']> };
  const fields = Object.entries(body ?? {});
  if (!fields.some(([, value]) => value instanceof Blob)) {
    return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  }
  const form = new FormData();
  for (const [name, value] of fields) {
    if (value instanceof Blob) form.append(name, value);
    else if (value !== undefined) form.append(name, String(value));
  }
  return { body: form };
}

/** `btoa` takes bytes only, as characters. */
const basic = (key: string): string => `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(key)))}`;

const isJson = ({ headers }: Pick<Response, 'headers'>): boolean =>
  /^application\/json\b/.test(headers.get('content-type') ?? '');

const parsed = (response: Response, text: string): unknown =>
  isJson(response) && text !== '' ? JSON.parse(text) : text;

/** Something between us and the service may answer in its place. */
function jsonIn(response: RawResponse): unknown {
  if (response.text === '') return undefined;
  if (!isJson(response)) throw new ConnectionError('The answer is not from the service.');
  return response.body;
}

function entriesOf(answer: unknown): unknown[] {
  const list = Array.isArray(answer) ? answer : Object.values(answer as object).find(Array.isArray);
  return list ?? [];
}

interface Repetition {
  /** Whether the request changes nothing. */
  isSafe: boolean;
  retries: number;
  signal: AbortSignal | undefined;
}

const firstWaitMs = 200;

async function repeated(send: () => Promise<RawResponse>, { isSafe, retries, signal }: Repetition) {
  for (let failures = 0; ; failures++) {
    const outcome = await send().catch((error: unknown) => {
      if (!(error instanceof ConnectionError) || error.isTimeout || !isSafe || failures >= retries) throw error;
    });
    const waitMs = outcome ? waitAfter(outcome, isSafe, failures) : firstWaitMs * 2 ** failures;
    if (outcome && (waitMs === undefined || failures >= retries)) return outcome;
    await wait(waitMs!, signal);
  }
}

/** Undefined if it is not repeated. */
function waitAfter({ status, headers }: RawResponse, isSafe: boolean, failures: number): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  if (status === 429) return seconds <= maxWaitSeconds ? seconds * 1000 : undefined;
  return isSafe && status >= 502 && status <= 504 ? firstWaitMs * 2 ** failures : undefined;
}
