export interface Call {
  /** `username:secret`; without it the request has no credentials. */
  key?: string | undefined;
  /** Sent as JSON; a text or bytes are sent as they are. */
  body?: unknown;
  headers?: Record<string, string>;
  query?: Record<string, string | number>;
  /** Answers a redirect as it is, and does not go there. */
  staysHere?: boolean;
}

export interface Answer {
  status: number;
  headers: Headers;
  /** Parsed where it is JSON, else the text. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into it without declaring every shape again.
  body: any;
  text: string;
}

const answerLimit = 30_000;

export type Api = (method: string, path: string, call?: Call) => Promise<Answer>;

export const clientOf =
  (url: string): Api =>
  async (method, path, { key, body, headers = {}, query = {}, staysHere = false } = {}) => {
    const address = new URL(url + path);
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, String(value));
    const raw = typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(address, {
      method,
      redirect: staysHere ? 'manual' : 'follow',
      headers: {
        ...(body !== undefined && !raw && { 'content-type': 'application/json' }),
        ...(key !== undefined && { authorization: basic(key) }),
        ...headers,
      },
      body: body === undefined ? null : raw ? body : JSON.stringify(body),
      signal: AbortSignal.timeout(answerLimit),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parsed(response, text), text };
  };

export const basic = (key: string) => `Basic ${Buffer.from(key).toString('base64')}`;

function parsed(response: Response, text: string): unknown {
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return isJson && text !== '' ? JSON.parse(text) : text;
}
