import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import synthesizeOnce from '#test/kit/assembly.setup.ts';
import { assemblyIn } from '#test/kit/assembly.ts';
import { setVisibilityTimeout } from '#test/kit/template.ts';
import { Book, newBookMemory } from './book.ts';
import { faultsOfAnswers, faultsOfTotals, faultsOfWebhooks, type Totals } from './check.ts';
import { clockOf, slots as slotsOfDay } from './curve.ts';
import { Deeds } from './deeds.ts';
import { Driver } from './driver.ts';
import { DayClient, type OperationRow } from './http.ts';
import { DayLog, type Look, type Slot } from './log.ts';
import type { DayOptions } from './options.ts';
import { faultsOfClaims, faultsOfOrders, readTotals, wantedTotals } from './read-back.ts';
import { startDayReceiver } from './receiver.ts';
import type { Waiting } from './run-stack.ts';
import { openShop } from './shop.ts';
import { type StackProcess, startStack } from './stack-process.ts';
import { Units, type UnitsRow } from './units.ts';

export interface PlayedDay {
  /** Everything that was lost, doubled or wrong. */
  faults: string[];
  /** From the first request to the last answer, and until the last webhook had come and the queues were empty. */
  seconds: { played: number; settled: number; checked: number };
  orders: number;
  webhooks: number;
  repeats: number;
  registrations: number;
  operations: ReadonlyMap<string, OperationRow>;
  slots: Slot[];
  looks: Look[];
  kills: { at: number; awayMs: number }[];
  totals: Totals;
  units: UnitsRow[];
  /** Processor time in seconds: of the stack with all its starts, and of driver and receiver together. */
  cpu: { stack: number; bench: number };
}

const operator = { username: 'operator', secret: 'operator-secret-0001' };

/** Plays a day on a stack of its own, waits until everything is done, and reads everything back. */
export async function playDay(options: DayOptions, say: (line: string) => void = () => {}): Promise<PlayedDay> {
  await synthesizeOnce();
  await using ends = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'day-'));
  ends.defer(() => rm(folder, { recursive: true, maxRetries: 5 }));
  const assembly = await assemblyIn(folder);
  if (options.visibilityTimeout) setVisibilityTimeout(assembly, options.visibilityTimeout);
  const secret = randomBytes(16).toString('hex');
  const book = new Book(newBookMemory(options.orders));
  const deeds = new Deeds(options.orders);
  const receiver = await startDayReceiver(book, secret);
  ends.defer(receiver.stop);
  const stackOptions = { assembly, dataDir: join(folder, 'data'), port: 0, operator, countsUnits: options.countsUnits };
  const profiling = options.profile ? ['--cpu-prof', `--cpu-prof-dir=${options.profile}`] : [];
  const stack = await startStack(stackOptions, profiling);
  ends.defer(stack.stop);
  const client = new DayClient(stack.url(), options.concurrency, `${operator.username}:${operator.secret}`);
  ends.defer(() => client.close());
  await openShop(client, receiver.url, secret);

  const kills: PlayedDay['kills'] = [];
  let killedCpuMs = 0;
  const units = new Units();
  const driver: Driver = new Driver(
    {
      ...options,
      lostAfterMs: quietMsOf(options),
      kill: async (at) => {
        if (options.countsUnits) units.addRows(await stack.ask('units'));
        killedCpuMs += (await stack.ask('sample')).cpuMs;
        kills.push({ at, awayMs: await stack.killAndRestart() });
        say(`killed and started again within ${Math.round(kills.at(-1)!.awayMs)} ms`);
      },
      onSlot: (slot) => log.begin(slot),
    },
    client,
    book,
    deeds,
  );
  const log = new DayLog(stack, book, client, () => driver, options.isEven ? options.minutes : undefined);
  const before = process.cpuUsage();
  const began = performance.now();
  const since = () => (performance.now() - began) / 1000;
  const told = setInterval(() => {
    const webhooks = `${book.heardInAll()} of ${driver.caused} webhooks came`;
    say(`${since().toFixed(0)} s, ${clockOf(book.get('slot'))}: ${driver.placed} orders placed, ${webhooks}`);
  }, tellEveryMs);
  ends.defer(() => clearInterval(told));
  await Promise.race([driver.play(), stack.ended]);
  const played = since();
  say(`played within ${played.toFixed(1)} s; ${driver.caused - book.heardInAll()} webhooks are still to come`);
  book.set('slot', slotsOfDay);
  log.begin(slotsOfDay);
  const waiting = await settled(stack, () => driver.caused - book.heardInAll(), options);
  const settledAfter = since();
  const { user, system } = process.cpuUsage(before);
  const slots = log.end();
  const operations = new Map(client.rows);
  const sample = await stack.ask('sample');
  say(`everything was done after ${settledAfter.toFixed(1)} s; reading back`);

  const wanted = wantedTotals(deeds, driver.caused);
  const totals = await countedTotals(client, wanted);
  const faults = [
    ...driver.faults,
    ...faultsOfWaiting(waiting),
    ...(await faultsOfOrders(client, deeds)),
    ...(await faultsOfClaims(client, deeds)),
    ...(kills.length > 0 ? [] : faultsOfAnswers(client.rows)),
    ...faultsOfWebhooks(book, deeds, kills.length > 0),
    ...receiver.unexpected.map((name) => `an unexpected webhook: ${name}`),
    ...faultsOfTotals(wanted, totals),
    ...faultsOfTotals({ 'parcels registered': driver.placed }, { 'parcels registered': book.get('registrations') }),
  ];
  if (options.countsUnits) units.addRows(await stack.ask('units'));
  return {
    faults,
    seconds: { played, settled: settledAfter, checked: since() },
    orders: driver.placed,
    webhooks: book.heardInAll(),
    repeats: book.get('repeats'),
    registrations: book.get('registrations'),
    operations,
    slots,
    looks: log.looks,
    kills,
    totals,
    units: units.rows(),
    cpu: { stack: (killedCpuMs + sample.cpuMs) / 1000, bench: (user + system) / 1e6 },
  };
}

/** A large day takes hours, and a person wants to know whether it goes on. */
const tellEveryMs = 60_000;

const lookAgainMs = 500;
/** Longer than any pause of the pipeline when nothing was killed. */
const quietMs = 180_000;
/** A message whose reader was killed is hidden for a quarter of an hour. */
const quietAfterKillMs = 20 * 60_000;

const quietMsOf = ({ kills }: DayOptions): number => (kills > 0 ? quietAfterKillMs : quietMs);

/** Waits until every webhook has come and every queue is empty, or until nothing has changed for long. */
async function settled(stack: StackProcess, toCome: () => number, options: DayOptions): Promise<Waiting> {
  const mostMs = quietMsOf(options);
  let last = '';
  let changedAt = Date.now();
  for (;;) {
    const waiting = await stack.ask('waiting');
    const left = Object.values(waiting.queues).reduce((sum, count) => sum + count, toCome());
    if (left === 0) return waiting;
    const now = JSON.stringify([waiting, toCome()]);
    if (now !== last) changedAt = Date.now();
    last = now;
    if (Date.now() - changedAt > mostMs) return waiting;
    await pause(lookAgainMs);
  }
}

/** Counts follow a change within a minute. */
const countedAfterMs = 150_000;

async function countedTotals(client: DayClient, wanted: ReturnType<typeof wantedTotals>): Promise<Totals> {
  for (const end = Date.now() + countedAfterMs; ; await pause(2 * lookAgainMs)) {
    const totals = await readTotals(client);
    if (faultsOfTotals(wanted, totals).length === 0 || Date.now() > end) return totals;
  }
}

const faultsOfWaiting = ({ queues, failures }: Waiting): string[] => [
  ...Object.entries(queues).flatMap(([name, count]) => (count > 0 ? [`${count} messages wait in ${name}`] : [])),
  ...Object.entries(failures).flatMap(([name, count]) => (count > 0 ? [`${count} failures of ${name}`] : [])),
];
