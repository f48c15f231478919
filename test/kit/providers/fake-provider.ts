import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ShipmentEventName } from '#schemas/catalogues/shipment-events.ts';
import type { TrackingProviderName } from '#schemas/catalogues/tracking-providers.ts';

/** How a provider can answer a registration. */
export type Situation = 'accepted' | 'exists' | 'wrong key' | 'no quota' | 'invalid' | 'busy' | 'down' | 'hangs';

/** How long a busy provider asks to wait. */
export const busySeconds = 7;

export interface FakeAnswer {
  status: number;
  headers?: Record<string, string>;
  body: unknown;
}

export interface Registration {
  method: string;
  path: string;
  /** The names are in lower case. */
  headers: Record<string, string | undefined>;
  body: unknown;
}

/** A tracking provider as its documentation describes it. */
export interface FakeProvider {
  name: TrackingProviderName;
  apiKey: string;
  webhookSecret: string;
  /** Whether the request has the key in the place where the provider looks for it. */
  hasKey(registration: Registration): boolean;
  /** What is not as documented. Undefined if the provider would take it. */
  faultOf(registration: Registration): string | undefined;
  numberIn(registration: Registration): string;
  answers: Record<Exclude<Situation, 'hangs'>, FakeAnswer>;
  histories: readonly History[];
  /** The webhook that reports these checkpoints of a parcel. */
  webhook(number: string, checkpoints: readonly unknown[]): object;
  /** The headers with which the provider sends these bytes. */
  signed(body: Uint8Array, secret?: string): Record<string, string>;
}

interface History {
  title: string;
  /** In the provider's own form and order. */
  checkpoints: readonly unknown[];
  /** What the parcel has gone through, oldest first. */
  events: readonly (readonly [time: string, name: ShipmentEventName])[];
}

export interface RunningProvider extends AsyncDisposable {
  /** The `base_url`. */
  url: string;
  /** What was asked, in its order. */
  asked: Registration[];
  /** What was not as documented. */
  faults: string[];
  /** The numbers that the provider watches. */
  registered: Set<string>;
  /** The next registrations of the number get these answers, one after the other. */
  behave(number: string, ...next: Situation[]): void;
  stop(): Promise<void>;
}

/** Runs a provider on a loopback address. It accepts a number once, and answers the second time that it exists. */
export async function startFakeProvider(fake: FakeProvider): Promise<RunningProvider> {
  const asked: Registration[] = [];
  const faults: string[] = [];
  const registered = new Set<string>();
  const planned = new Map<string, Situation[]>();

  const situationOf = (registration: Registration): Situation => {
    if (!fake.hasKey(registration)) return 'wrong key';
    const fault = fake.faultOf(registration);
    if (fault !== undefined) {
      faults.push(fault);
      return 'invalid';
    }
    const number = fake.numberIn(registration);
    const next = planned.get(number)?.shift();
    return next ?? (registered.has(number) ? 'exists' : 'accepted');
  };

  const server = createServer(async (request, response) => {
    const registration = await registrationOf(request);
    asked.push(registration);
    const situation = situationOf(registration);
    if (situation === 'hangs') return;
    if (situation === 'accepted') registered.add(fake.numberIn(registration));
    send(response, fake.answers[situation]);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = () => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    faults,
    registered,
    behave: (number, ...next) => void planned.set(number, next),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

async function registrationOf(request: IncomingMessage): Promise<Registration> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const { method = '', url: path = '' } = request;
  const headers = request.headers as Registration['headers'];
  return { method, path, headers, body: parsedOr(Buffer.concat(parts).toString('utf8')) };
}

function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function send(response: ServerResponse, { status, headers, body }: FakeAnswer): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** @param fields the names of the body's fields and how each must be; a name with a question mark may be absent */
export function faultInBody(body: unknown, fields: Record<string, RegExp>): string | undefined {
  if (typeof body !== 'object' || body === null) return 'the body is no object';
  const given = body as Record<string, unknown>;
  const names = Object.keys(fields).map((name) => name.replace('?', ''));
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined) return `unknown field ${unknown}`;
  const wrong = Object.entries(fields).find(([name, pattern]) => {
    const value = given[name.replace('?', '')];
    return value === undefined ? !name.endsWith('?') : typeof value !== 'string' || !pattern.test(value);
  });
  return wrong && `wrong field ${wrong[0]}`;
}

export const faultInTarget = ({ method, path, headers }: Registration, wanted: string): string | undefined => {
  if (`${method} ${path}` !== wanted) return `${method} ${path} instead of ${wanted}`;
  return headers['content-type']?.startsWith('application/json') ? undefined : 'the content type is not JSON';
};
