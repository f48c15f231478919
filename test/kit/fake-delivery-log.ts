import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Answer } from '#schemas/client/index.ts';
import { serveOnLoopback } from './loopback-server.ts';

type Details = Answer<'getWebhookDelivery'>;

export const secret = 'the-secret-of-the-endpoint';
export const uuid = '0191c8a2-0000-7000-8000-000000000001';

/** A delivery that the service has sent. Its id begins with the time of its event, as real ones do. */
export function newDelivery(at: Date, more: Partial<Details> = {}): Details {
  const hex = at.getTime().toString(16).padStart(12, '0');
  const id = `${hex.slice(0, 8)}-${hex.slice(8)}-${randomUUID().slice(14)}`;
  const time = at.toISOString();
  const attempt = { at: time, duration_ms: 5, status: 200, error: null, response: null, request: null };
  return {
    id,
    ref: 'shipments/delivered/SUCCESSFULLY_DELIVERED',
    event_group: 'shipment_delivered',
    event_id: randomUUID(),
    status: 'delivered',
    reason: null,
    attempt_count: 1,
    total_attempts: 1,
    feed_hour: null,
    next_attempt_at: null,
    sent_again_at: null,
    feedback: null,
    created_at: time,
    updated_at: time,
    attempts: [attempt],
    payload: { ref: 'shipments/delivered/SUCCESSFULLY_DELIVERED', id, text: 'grün' },
    ...more,
  };
}

/** `before`: the service does not get the request. `within`: half of the answer arrives. */
type Disconnection = 'before' | 'within';

export interface FakeLog extends AsyncDisposable {
  url: string;
  add(...deliveries: Details[]): void;
  /** The list still shows the delivery, but its details are gone. */
  lose(delivery: Details): void;
  requests(): number;
}

interface Behaviour {
  /** Says for each request, by its number, whether the connection is lost. */
  disconnects?: (request: number) => Disconnection | undefined;
  /** Is called before a list is answered. */
  onList?: (log: FakeLog) => void;
}

/** The three operations of the service by which `listen` reads the deliveries of an endpoint. */
export async function startFakeLog({ disconnects, onList }: Behaviour = {}): Promise<FakeLog> {
  const all = new Map<string, Details>();
  let newestFirst: Details[] | undefined = [];
  const gone = new Set<string>();
  const found = (id: string) => (gone.has(id) ? undefined : all.get(id));
  let count = 0;
  const server = await serveOnLoopback((request, response) => {
    count++;
    const lost = disconnects?.(count);
    if (lost === 'before') return void request.socket.destroy();
    const { pathname, searchParams } = new URL(request.url!, 'http://localhost');
    const [, id] = /\/deliveries\/(.+)$/.exec(pathname) ?? [];
    if (pathname.endsWith('/deliveries')) {
      onList?.(log);
      newestFirst ??= [...all.values()].sort((a, b) => (a.id < b.id ? 1 : -1));
      return answer(response, pageOf(newestFirst, searchParams), lost);
    }
    const endpoints = searchParams.get('uuid') === uuid ? [{ uuid, secret }] : [];
    return answer(response, id ? found(id) : endpoints, lost);
  });
  const log: FakeLog = {
    ...server,
    add: (...deliveries) => {
      for (const delivery of deliveries) all.set(delivery.id, delivery);
      newestFirst = undefined;
    },
    lose: ({ id }) => gone.add(id),
    requests: () => count,
  };
  return log;
}

function pageOf(newestFirst: readonly Details[], query: URLSearchParams) {
  const since = Date.parse(query.get('since')!);
  const [page, size] = ['page', 'per_page'].map((name) => Number(query.get(name)));
  const listed = newestFirst.filter(({ created_at }) => Date.parse(created_at) >= since);
  return listed.slice((page! - 1) * size!, page! * size!).map(({ attempts, payload: _payload, ...delivery }) => ({
    ...delivery,
    last_attempt: attempts.at(-1) ?? null,
  }));
}

function answer(response: ServerResponse, body: unknown, lost: Disconnection | undefined): void {
  const text = JSON.stringify(body ?? { key: 'webhook_delivery_not_found', message: 'Not found.' });
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  response.writeHead(body === undefined ? 404 : 200, headers);
  if (lost === undefined) response.end(text);
  else response.write(text.slice(0, text.length / 2), () => response.socket?.destroy());
}
