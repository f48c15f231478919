export interface FieldError {
  /** `path`, `query` or `body`, then names of fields and positions in lists. */
  loc: (string | number)[];
  msg: string;
  type: 'missing' | 'type_error' | 'value_error';
}

/** The service refused a request. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** Use it in code: it never changes. `http_<status>` if the answer is not from the service. */
  readonly key: string;
  /** The invalid fields of the request. */
  readonly errors: readonly FieldError[];
  /** Name it when you report a problem. */
  readonly correlationId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor({ status, headers, body }: { status: number; headers: Headers; body: unknown }) {
    const { key, message, errors } = (typeof body === 'object' && body ? body : {}) as Partial<ApiError>;
    super(message ?? `The server answered ${status}.`);
    this.status = status;
    this.key = key ?? `http_${status}`;
    this.errors = errors ?? [];
    this.correlationId = headers.get('x-correlation-id') ?? undefined;
    this.retryAfterSeconds = Number(headers.get('retry-after')) || undefined;
  }
}

/** There was no answer, or none of the service. Whether a change was made is not known. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly isTimeout: boolean;

  constructor(message: string, { isTimeout = false, cause }: { isTimeout?: boolean; cause?: unknown } = {}) {
    super(message, { cause });
    this.isTimeout = isTimeout;
  }
}
