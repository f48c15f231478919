import { parseArgs } from 'node:util';
import { localReceiver, type Receiver, remoteReceiver } from '#lib/smoke/receiver.ts';
import { smoke } from '#lib/smoke/smoke.ts';
import { onStopSignals } from './local/stop-signals.ts';

const usage = `Check in a minute whether a deployment works: one line for each family of the API.

  npm run smoke -- URL KEY     URL: the output ApiUrl. KEY: username:secret of a SuperAdmin.
                               Without KEY the variable SUPERADMIN_KEY is used.

  --receiver-url URL           An address that answers POST with 200. A webhook is delivered to it.
                               For a URL on this machine the command receives the webhook itself.

It uses the shop smoke-test and deletes what it created, also if something fails or Ctrl-C interrupts it,
and what an earlier run left there that was killed more than ten minutes ago. These stay, because no operation deletes
them: the shop, one order for each day, a parcel and an image of 43 bytes for each run.`;

async function main(): Promise<boolean> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'receiver-url': { type: 'string' }, help: { type: 'boolean' } },
  });
  const [url, superAdmin = process.env.SUPERADMIN_KEY] = positionals;
  if (values.help) return print(usage) ?? true;
  if (!url || !URL.canParse(url) || !superAdmin?.includes(':')) throw new Error(`Enter a URL and a key.\n\n${usage}`);
  await using receiver = await receiverFor(url, values['receiver-url']);
  const began = Date.now();
  const ending = new AbortController();
  onStopSignals(process, { stop: () => ending.abort(), endAtOnce: () => process.exit(1) });
  const works = await smoke({ url, superAdmin, receiver, print, signal: ending.signal });
  print(`${url} ${works ? 'works' : 'does not work'}: ${((Date.now() - began) / 1000).toFixed(1)} s.`);
  return works;
}

async function receiverFor(url: string, receiverUrl: string | undefined): Promise<Receiver | undefined> {
  if (receiverUrl) return remoteReceiver(receiverUrl);
  return ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname) ? localReceiver() : undefined;
}

const print = (line: string): void => console.log(line);

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
