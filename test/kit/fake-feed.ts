import { createHash, randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Answer } from '#schemas/client/index.ts';
import { secret, uuid } from './fake-delivery-log.ts';
import { serveOnLoopback } from './loopback-server.ts';

type Listed = Answer<'listEvents'>['events'][number];
export type FakeEvent = Omit<Listed, 'cursor'>;

/** An event that entered the feed at a time. */
export const newEvent = (at = new Date(), more: Partial<FakeEvent> = {}): FakeEvent => ({
  id: randomUUID(),
  at: at.toISOString(),
  ref: 'shipments/delivered/SUCCESSFULLY_DELIVERED',
  event_group: 'shipment_delivered',
  subject_version: 7,
  simulation_id: null,
  payload: { ref: 'shipments/delivered/SUCCESSFULLY_DELIVERED', text: 'grün' },
  ...more,
});

/** `before`: the service does not get the request. `within`: half of the answer arrives. */
type Disconnection = 'before' | 'within';

export interface FakeFeed extends AsyncDisposable {
  url: string;
  add(...events: FakeEvent[]): void;
  /** What the service refuses from now on, by its key. */
  refuse(key: 'feed_off' | 'cursor_expired' | undefined): void;
  requests(): number;
}

interface Behaviour {
  /** Says for each request, by its number, whether the connection is lost. */
  disconnects?: (request: number) => Disconnection | undefined;
  /** Is called before a page of the feed is answered. */
  onPage?: (feed: FakeFeed) => void;
  /** Hours that end later are not settled. */
  settledUntil?: Date;
}

const refusals = { feed_off: 409, cursor_expired: 410 };

/** The operations of the service by which `listen` reads the feed of an endpoint, and the ledger. */
export async function startFakeFeed({ disconnects, onPage, settledUntil }: Behaviour = {}): Promise<FakeFeed> {
  const all: FakeEvent[] = [];
  let refused: keyof typeof refusals | undefined;
  let count = 0;
  const server = await serveOnLoopback((request, response) => {
    count++;
    const lost = disconnects?.(count);
    if (lost === 'before') return void request.socket.destroy();
    const { pathname, searchParams } = new URL(request.url!, 'http://localhost');
    if (pathname.endsWith('/settings/events'))
      return answer(response, 200, { feed_enabled: refused !== 'feed_off' }, lost);
    if (refused && pathname.includes('/events')) {
      return answer(response, refusals[refused], { key: refused, message: 'No.' }, lost);
    }
    if (pathname.endsWith('/events')) {
      onPage?.(feed);
      return answer(response, 200, pageOf(all, searchParams), lost);
    }
    if (pathname.endsWith('/ledger')) return answer(response, 200, ledgerOf(all, searchParams, settledUntil), lost);
    return answer(response, 200, searchParams.get('uuid') === uuid ? [{ uuid, secret }] : [], lost);
  });
  const feed: FakeFeed = {
    ...server,
    add: (...events) => void all.push(...events),
    refuse: (key) => {
      refused = key;
    },
    requests: () => count,
  };
  return feed;
}

function pageOf(all: readonly FakeEvent[], query: URLSearchParams): Answer<'listEvents'> {
  const begin = Number(query.get('after') ?? beginOf(all, query.get('from') ?? ''));
  const end = Math.min(all.length, begin + Number(query.get('limit') ?? 100));
  const events = all.slice(begin, end).map((event, i) => ({ ...event, cursor: String(begin + i + 1) }));
  return { events, next: String(end), at_end: end === all.length };
}

function beginOf(all: readonly FakeEvent[], from: string): number {
  const begin = all.findIndex(({ at }) => at >= from);
  return begin === -1 ? all.length : begin;
}

export const hourOf = ({ at }: Pick<FakeEvent, 'at'>): string => `${at.slice(0, 13)}:00:00Z`;

function ledgerOf(
  all: readonly FakeEvent[],
  query: URLSearchParams,
  settledUntil = new Date(),
): Answer<'getEventLedger'> {
  const from = new Date(query.get('from') ?? 0).toISOString();
  const hours = Map.groupBy(all, hourOf);
  return [...hours].sort().flatMap(([hour, events]) => {
    if (hour < hourOf({ at: from })) return [];
    const sum = events.reduce((sum, { id }) => sum + BigInt(`0x${createHash('sha256').update(id).digest('hex')}`), 0n);
    const digest = BigInt.asUintN(256, sum).toString(16).padStart(64, '0');
    const settled = Date.parse(hour) + 3_600_000 <= settledUntil.getTime();
    return [{ hour, count: events.length, digest, delivered: null, settled }];
  });
}

function answer(response: ServerResponse, status: number, body: unknown, lost: Disconnection | undefined): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  if (lost === undefined) response.end(text);
  else response.write(text.slice(0, text.length / 2), () => response.socket?.destroy());
}
