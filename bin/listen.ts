import { parseArgs } from 'node:util';
import { ApiError, type Client, ConnectionError, createClient } from '#schemas/client/index.ts';
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
                       With any service: reads new deliveries of an endpoint over the API, and posts them.

  --url URL            The receiver. It gets the same bytes and headers that the service sends.
  --key USERNAME:SECRET
                       An admin of the shop, or a SuperAdmin. Default: SUPERADMIN_KEY, else the local stack's.
  --api URL            The service. Default: the local stack.
  --shop SLUG          Default: the shop of the key, or the only one.
  --endpoint UUID      The endpoint to read.

It prints a line for each delivery: time, status, duration, beginning of the id, event. While the receiver or the
service does not answer, deliveries wait. With --endpoint, what the receiver refuses is not posted again: send the
delivery again in the console or with POST …/redeliver. Without it, the service repeats it as for any endpoint.`;

/** Without its scheme, `localhost:8080` would be an address of the scheme `localhost`. */
const isWebAddress = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text);

interface Options {
  client: Client<'slug'>;
  url: string;
  endpoint: string | undefined;
  report: Report;
  signal: AbortSignal;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      url: { type: 'string' },
      key: { type: 'string' },
      api: { type: 'string' },
      shop: { type: 'string' },
      endpoint: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return void console.log(usage);
  const { url, endpoint } = values;
  if (!url) throw new Error(`Say where to post: --url URL\n\n${usage}`);
  const baseUrl = values.api ?? ownUrl();
  for (const address of [url, baseUrl]) {
    if (!isWebAddress(address)) throw new Error(`${address} is no address. Write it whole: http://127.0.0.1:8080/hook`);
  }
  if (!endpoint && !isOnThisMachine(baseUrl))
    throw new Error('A service on another machine cannot reach this one. Name the endpoint to read: --endpoint UUID');
  const key = values.key ?? process.env.SUPERADMIN_KEY ?? ownKey();
  const shop = values.shop ?? (await shopOf(createClient({ baseUrl, key }), key));
  const ending = new AbortController();
  onStopSignals(process, { stop: () => ending.abort(), endAtOnce: () => process.exit(1) });
  onParentGone(process, () => ending.abort());
  const report = new Report((line) => console.log(line));
  const client = createClient({ baseUrl, key, shop });
  try {
    await listen({ client, url, endpoint, report, signal: ending.signal });
  } finally {
    report.say(report.summary());
  }
}

async function listen({ client, url, endpoint, report, signal }: Options): Promise<void> {
  await using post = postTo(url);
  if (endpoint) {
    const reader = new DeliveryReader({ client, uuid: endpoint, post, report, signal });
    await reader.start();
    report.say(`Reading endpoint ${endpoint}, posting to ${url}. Ctrl-C ends.`);
    await reader.run().catch((error) => {
      if (!signal.aborted) throw error;
    });
    return;
  }
  await using own = await makeEndpoint(client, post, report);
  report.say(`Endpoint ${own.uuid}, posting to ${url}. Its secret: ${own.secret} Ctrl-C ends.`);
  await ended(signal);
}

/** The server of the endpoint keeps the process alive. */
const ended = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

function textOf(error: Error): string {
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
