import { parseArgs } from 'node:util';
import { ApiError, type Client, ConnectionError, createClient } from '#schemas/client/index.ts';
import { Bookmark, bookmarkFile } from './listen/bookmark.ts';
import { FeedReader } from './listen/feed-reader.ts';
import { postTo } from './listen/post.ts';
import { DeliveryReader } from './listen/reading.ts';
import { Report } from './listen/report.ts';
import { shopOf } from './listen/shop.ts';
import { makeEndpoint } from './listen/temporary-endpoint.ts';
import { isOnThisMachine, ownKey, ownUrl } from './local/own-service.ts';
import { onParentGone, onStopSignals } from './local/stop-signals.ts';

const usage = `Have the webhooks of a shop sent to a server on this machine.

  npm run listen -- --url http://127.0.0.1:8080/hook
                       With the local stack: makes an endpoint, and deletes it at the end (Ctrl-C).
  npm run listen -- --url http://127.0.0.1:8080/hook --api URL --key USERNAME:SECRET --endpoint UUID
                       With any service: reads the events of an endpoint in the shop's feed, and posts them.

  --url URL            The receiver. It gets the same bytes and headers that the service sends.
  --key USERNAME:SECRET
                       An admin of the shop, or a SuperAdmin. Default: SUPERADMIN_KEY, else the local stack's.
  --api URL            The service. Default: the local stack.
  --shop SLUG          Default: the shop of the key, or the only one.
  --endpoint UUID      The endpoint to read.
  --from start|now     With --endpoint: begin with the oldest event that is kept, or with the next one. Default: where the
                       last run ended, and the first time with the next one.
  --state FILE         Where it keeps how far it has read. Default: a file for each endpoint in .local/listen.

It prints a line for each event: time, status, duration, beginning of the id, event. With --endpoint, nothing is lost while
the receiver, the service or listen itself does not run, and nothing comes twice: events wait until the receiver answers,
also while it answers 429 or 5xx. Any other answer counts: answer 4xx to pass over an event. This needs the feed of the
shop. While it is off, listen reads the list of deliveries, from its start on, and posts each once, whatever is answered.
Without --endpoint, the service repeats what is refused as for any endpoint.`;

/** Without its scheme, `localhost:8080` would be an address of the scheme `localhost`. */
const isWebAddress = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text);

interface Options {
  client: Client<'slug'>;
  url: string;
  report: Report;
  signal: AbortSignal;
}

interface EndpointOptions extends Options {
  uuid: string;
  from: 'start' | 'now' | undefined;
  file: string;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      url: { type: 'string' },
      key: { type: 'string' },
      api: { type: 'string' },
      shop: { type: 'string' },
      endpoint: { type: 'string' },
      from: { type: 'string' },
      state: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return void console.log(usage);
  const { url, endpoint, from } = values;
  if (!url) throw new Error(`Say where to post: --url URL\n\n${usage}`);
  const baseUrl = values.api ?? ownUrl();
  for (const address of [url, baseUrl]) {
    if (!isWebAddress(address)) throw new Error(`${address} is no address. Write it whole: http://127.0.0.1:8080/hook`);
  }
  if (!endpoint && !isOnThisMachine(baseUrl))
    throw new Error('A service on another machine cannot reach this one. Name the endpoint to read: --endpoint UUID');
  if (from !== undefined && from !== 'start' && from !== 'now') throw new Error(`Write --from start or --from now.`);
  if (!endpoint && (from ?? values.state)) throw new Error('--from and --state need --endpoint UUID.');
  const key = values.key ?? process.env.SUPERADMIN_KEY ?? ownKey();
  const shop = values.shop ?? (await shopOf(createClient({ baseUrl, key }), key));
  const ending = new AbortController();
  onStopSignals(process, { stop: () => ending.abort(), endAtOnce: () => process.exit(1) });
  onParentGone(process, () => ending.abort());
  const report = new Report((line) => console.log(line));
  const client = createClient({ baseUrl, key, shop });
  const options = { client, url, report, signal: ending.signal };
  const file = (uuid: string) => values.state ?? bookmarkFile({ api: baseUrl, shop, endpoint: uuid });
  try {
    if (endpoint) await read({ ...options, uuid: endpoint, from, file: file(endpoint) });
    else await listen(options);
  } finally {
    report.say(report.summary());
  }
}

async function listen({ client, url, report, signal }: Options): Promise<void> {
  await using post = postTo(url);
  await using own = await makeEndpoint(client, post, report);
  report.say(`Endpoint ${own.uuid}, posting to ${url}. Its secret: ${own.secret} Ctrl-C ends.`);
  await ended(signal);
}

/** Reads the feed of the shop, or the log of the endpoint if the shop has none. */
async function read({ file, from, ...options }: EndpointOptions): Promise<void> {
  const { client, uuid, url, report, signal } = options;
  await using post = postTo(url);
  const { feed_enabled } = await client.getEventSettings({ signal });
  if (!feed_enabled && from === 'start') throw new Error(feedIsOff(client));
  const reader = feed_enabled
    ? new FeedReader({ ...options, post, from, bookmark: new Bookmark(file) })
    : new DeliveryReader({ ...options, post });
  await reader.start();
  if (!feed_enabled) report.say(`${feedIsOff(client)}\nUntil then, only what is sent while listen runs is posted.`);
  report.say(`Reading endpoint ${uuid}, posting to ${url}. Ctrl-C ends.`);
  await reader.run().catch((error) => {
    if (!signal.aborted) throw error;
  });
}

const feedIsOff = (client: Client<'slug'>): string =>
  `The feed of the shop is off. To have every event, also of the time when listen does not run, switch it on:
  curl -X PATCH -u USERNAME:SECRET -H 'Content-Type: application/json' -d '{ "feed_enabled": true }' ${client.address('updateEventSettings')}`;

/** The server of the endpoint keeps the process alive. */
const ended = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

const expired = `The feed was switched off and on since the last run, or has not kept what followed it. Choose where to begin:
--from start reads all that is kept, and --from now only what comes.`;

function textOf(error: Error): string {
  if (error instanceof ApiError && error.key === 'cursor_expired') return expired;
  if (error instanceof ApiError) return `${error.message} (${error.status} ${error.key})`;
  if (error instanceof ConnectionError) return `${error.message} Is it running? Start it with npm start.`;
  return error.message;
}

try {
  await main();
} catch (error) {
  console.error(textOf(error as Error));
  process.exitCode = 1;
}
