import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Call } from '#platform/outgoing/call.ts';

export interface VendorCall {
  method: string;
  /** With the query. */
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

export interface VendorReply {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** A vendor that knows the segments of customers. */
export interface FakeVendor {
  asked: VendorCall[];
  /** What the next requests get instead of the real answer. `hang` never answers. */
  troubles: (VendorReply | 'hang')[];
  answer(call: VendorCall): VendorReply;
}

function replyOf(vendor: FakeVendor, call: VendorCall): VendorReply | 'hang' {
  vendor.asked.push(call);
  return vendor.troubles.shift() ?? vendor.answer(call);
}

/** The vendor without a network, in the place of outgoing calls. */
export const callOf =
  (vendor: FakeVendor): Call =>
  async ({ method, url, headers, body }) => {
    const { pathname, search } = new URL(url);
    const call = { method, path: pathname + search, headers, body: Buffer.from(body ?? '').toString() };
    const reply = replyOf(vendor, call);
    if (reply === 'hang') return { failure: 'timeout' };
    return { status: reply.status, headers: reply.headers ?? {}, body: Buffer.from(JSON.stringify(reply.body ?? '')) };
  };

/** The vendor as a server on this machine. */
export async function startVendor(vendor: FakeVendor): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '', headers } = request;
    const reply = replyOf(vendor, { method, path, headers, body: await text(request) });
    if (reply === 'hang') return;
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
    response.end(JSON.stringify(reply.body ?? ''));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

export const busy = (seconds: number): VendorReply => ({ status: 429, headers: { 'retry-after': String(seconds) } });
export const unwell: VendorReply = { status: 503 };
