/** What the walks send to a deployment, and what they expect of its answers. */

interface Call {
  /** `username:secret`; without it the request has no credentials. */
  key?: string | undefined;
  /** A form or a text is sent as it is, anything else as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  /** What the service must answer. The default is 200. */
  status?: number;
  /** Is called with the headers of the answer. */
  onHeaders?: (headers: Headers) => void;
}

// biome-ignore lint/suspicious/noExplicitAny: a walk picks ids from answers whose shapes the tests check.
export type Send = (method: string, path: string, call?: Call) => Promise<any>;

/** Something that a deployment did wrong, in a sentence for an operator. */
export class SmokeFault extends Error {
  /** Nobody answers, so there is nothing to walk. */
  readonly isUnreachable: boolean;
  /** What was answered, if it was not what it should be. */
  readonly status: number | undefined;

  constructor(message: string, { isUnreachable = false, status }: { isUnreachable?: boolean; status?: number } = {}) {
    super(message);
    this.isUnreachable = isUnreachable;
    this.status = status;
  }
}

/** CloudFront and API Gateway give up after 30 s. A deployment that needs half of that does not work. */
const answerMs = 15_000;

/** @param path below the URL, or a URL of its own */
export const clientOf = (url: string): Send => {
  return async (method, path, { key, body, headers = {}, status = 200, onHeaders } = {}) => {
    const response = await answerOf(new URL(path.startsWith('/') ? url + path : path), {
      method,
      headers: {
        ...(isJson(body) && { 'content-type': 'application/json' }),
        ...(key !== undefined && { authorization: `Basic ${Buffer.from(key).toString('base64')}` }),
        ...headers,
      },
      body: isJson(body) ? JSON.stringify(body) : ((body as FormData | string | undefined) ?? null),
    });
    if (response.status !== status) {
      throw new SmokeFault(unexpected(`${method} ${path}`, response, status), { status: response.status });
    }
    onHeaders?.(response.headers);
    return response.body;
  };
};

const isJson = (body: unknown): boolean => typeof body === 'object' && body !== null && !(body instanceof FormData);

interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: see above.
  body: any;
  headers: Headers;
}

async function answerOf(address: URL, request: RequestInit): Promise<Answer> {
  try {
    const response = await fetch(address, { ...request, signal: AbortSignal.timeout(answerMs) });
    const text = await response.text();
    return { status: response.status, body: parsed(text), headers: response.headers };
  } catch (error) {
    const { name, message, cause } = error as Error;
    if (name === 'TimeoutError') throw new SmokeFault(`${address.pathname} did not answer in ${answerMs / 1000} s.`);
    const reason = (cause as { code?: string } | undefined)?.code ?? message;
    throw new SmokeFault(`${address.origin} is out of reach: ${reason}.`, { isUnreachable: true });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function unexpected(request: string, { status, body, headers }: Answer, expected: number): string {
  const correlationId = headers.get('x-correlation-id');
  const reason = typeof body?.key === 'string' ? ` ${body.key} (${body.message})` : '';
  return `${request} answered ${status}${reason}, not ${expected}. X-Correlation-Id: ${correlationId ?? 'none'}`;
}
