import { createClient } from '#schemas/client/index.ts';

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

const timeoutMs = 30_000;

export type Api = (method: string, path: string, call?: Call) => Promise<Answer>;

/** Requests by method and path, also those that the typed client would refuse. */
export const clientOf =
  (url: string): Api =>
  async (method, path, { key, staysHere = false, ...request } = {}) =>
    createClient({ baseUrl: url, key, timeoutMs }).send({
      ...request,
      method,
      path,
      redirect: staysHere ? 'manual' : 'follow',
    });

export const basic = (key: string) => `Basic ${Buffer.from(key).toString('base64')}`;
