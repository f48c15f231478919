import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Call, CallResult } from '#platform/outgoing/call.ts';

export interface VendorRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  text: string;
  /** The parsed body. */
  // biome-ignore lint/suspicious/noExplicitAny: a body is JSON of any form.
  body: any;
}

export interface VendorResponse {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** The answer to a request instead of the vendor's own. `hangs` never answers. */
export type Trouble = VendorResponse | 'hangs';

/**
 * A vendor that behaves as its documentation says. A test calls it directly, without a network, or starts it as a
 * server.
 */
export abstract class FakeVendor {
  readonly url: string;
  readonly requests: VendorRequest[] = [];
  readonly #troubles: Trouble[] = [];

  constructor(url: string) {
    this.url = url;
  }

  /** The next requests get these answers, one after the other. */
  meet(...troubles: Trouble[]): void {
    this.#troubles.push(...troubles);
  }

  readonly call: Call = async ({ method, url, headers, body }): Promise<CallResult> => {
    const { origin, pathname, search } = new URL(url);
    if (!this.knows(origin)) return { failure: 'name_not_found' };
    const answer = this.answer(method, pathname + search, headers, Buffer.from(body ?? []).toString());
    if (answer === 'hangs') return { failure: 'timeout' };
    return { status: answer.status, headers: answer.headers ?? {}, body: Buffer.from(textOf(answer.body)) };
  };

  answer(method: string, path: string, headers: Record<string, string>, text: string): Trouble {
    const request = { method, path, headers, text, body: parsed(text) };
    this.requests.push(request);
    return this.#troubles.shift() ?? this.serve(request);
  }

  protected knows(origin: string): boolean {
    return origin === new URL(this.url).origin;
  }

  protected abstract serve(request: VendorRequest): VendorResponse;
}

const textOf = (body: unknown): string =>
  body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Serves a vendor on a loopback address. */
export async function serveVendor(vendor: FakeVendor): Promise<AsyncDisposable & { url: string }> {
  const server = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString();
    const headers = request.headers as Record<string, string>;
    const answer = vendor.answer(request.method!, request.url!, headers, text);
    if (answer !== 'hangs') response.writeHead(answer.status, answer.headers).end(textOf(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
