import {
  type CallOptions,
  type ClientOptions,
  createPlainClient,
  type Part,
  type PlainClient,
  usualTimeoutMs,
  type WithKnown,
} from './client.ts';
import { type Events, type EventsOptions, type FeedQuery, followFeed } from './feed.ts';
import type { Operations } from './types.ts';

/** What `events` takes: what is asked for, how long, and the shop unless the client knows it. */
export type EventsInput<Known extends string = never> = EventsOptions &
  Part<'params', WithKnown<Operations['listEvents']['params'], Known>> &
  CallOptions;

type EventsArguments<Known extends string> =
  Record<never, never> extends EventsInput<Known> ? [input?: EventsInput<Known>] : [input: EventsInput<Known>];

/** Every operation is a method: `client.upsertOrder({ … })`. */
export type Client<Known extends string = never> = PlainClient<Known> & {
  /**
   * All events of the shop, as its feed has them. It goes on where a connection broke, and waits for what comes; each event
   * comes once. It throws an ApiError if the service refuses, such as `cursor_expired` and `feed_off`.
   */
  events(...input: EventsArguments<Known>): Events;
};

export function createClient(options: ClientOptions & { shop: NonNullable<ClientOptions['shop']> }): Client<'slug'>;
export function createClient(options?: ClientOptions): Client;
export function createClient(options: ClientOptions = {}): Client {
  const plain = createPlainClient(options);

  function events({ params, headers, ...rest } = {} as EventsInput): Events {
    const { timeoutMs = usualTimeoutMs } = options;
    const load = (query: FeedQuery) => {
      // The loop repeats what fails, and an answer may take as long as the service waits, and the usual time more.
      const once = createPlainClient({ ...options, retries: 0, timeoutMs: timeoutMs + (query.wait ?? 0) * 1000 });
      return once.listEvents({ params, headers, signal: rest.signal, query });
    };
    return followFeed(load, rest);
  }

  const get = (_: object, name: string | symbol) => (name === 'events' ? events : plain[name as keyof PlainClient]);
  return new Proxy({}, { get }) as Client;
}
