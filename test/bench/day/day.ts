import { writeFileSync } from 'node:fs';
import { fixed } from '../statistics.ts';
import { rush, weights } from './curve.ts';
import { type DayOptions, readOptions } from './options.ts';
import { drawDay } from './picture.ts';
import { type PlayedDay, playDay } from './play.ts';
import { hourTable, megabytes, operationTable, unitsTable } from './report.ts';
import { faultsOfSoak, type SoakRow, soakRows } from './soak.ts';

const mostShown = 40;

/** `npm run bench -- day`: a large shop's day through HTTP on the local stack. Fails if anything was lost. */
export async function benchDay(args: readonly string[]): Promise<void> {
  const options = readOptions(args);
  const day = await played(options);
  if (options.svg) writeFileSync(options.svg, picture(day, options));
  if (options.isSoak) await soak(options, day.orders / day.seconds.settled);
}

async function played(options: DayOptions): Promise<PlayedDay> {
  introduce(options);
  const day = await playDay(options, (line) => console.log(line));
  show(day);
  judge('Lost', day.faults);
  return day;
}

/** At a tenth of the speed memory and disk must not grow beyond what the data explains. */
async function soak(options: DayOptions, fullSpeed: number): Promise<void> {
  const orders = Math.max(1, Math.round((fullSpeed / 10) * options.minutes * 60));
  console.log(`\nSoak: ${options.minutes} minutes with ${fixed(fullSpeed / 10, 2)} orders/s, evenly.`);
  const factor = (24 * 60) / options.minutes;
  const { looks } = await played({ ...options, orders, factor, isEven: true, kills: 0 });
  const rows = soakRows(looks);
  console.table(rows.map(shownRow));
  judge('Grown', faultsOfSoak(rows, options.minutes));
}

const shownRow = ({ minutes, rss, live, diskBytes, diskOfOrder }: SoakRow) => ({
  minutes: fixed(minutes, 0),
  threads: live.threads,
  'live MB': megabytes(live.bytes),
  'emulators MB': megabytes(live.emulatorBytes),
  'rss MB': megabytes(rss),
  'disk MB': megabytes(diskBytes),
  'disk KB of an order': fixed(diskOfOrder / 1024),
});

function introduce({ orders, factor, isEven, kills, seed, concurrency }: DayOptions): void {
  const speed = factor === undefined ? 'as fast as the stack takes it' : `${factor} times as fast as the clock`;
  console.log(`${orders} orders, ${speed}, ${concurrency} requests at once, ${kills} kills, seed ${seed}.`);
  if (isEven) return;
  console.log(`Orders by the hour, beside the quietest: ${weights.join(' ')};`);
  console.log(`from ${rush.fromMs / 3_600_000}:00 for ${rush.minutes} minutes ${rush.times} times the mean.`);
}

const speedOf = ({ orders, seconds }: PlayedDay): string => `${fixed(orders / seconds.settled)} orders a second`;

function picture(day: PlayedDay, { factor }: DayOptions): string {
  const speed = factor === undefined ? speedOf(day) : `${factor} times as fast as the clock`;
  return drawDay({
    title: `A day of ${day.orders.toLocaleString('en')} orders on the local stack`,
    caption:
      `${speed}; ${day.webhooks.toLocaleString('en')} webhooks; ` +
      `${day.faults.length === 0 ? 'nothing lost' : `${day.faults.length} faults`}. ` +
      `Yellow: a rush of ${rush.times} times the mean.`,
    slots: day.slots,
    kills: day.kills.map(({ at }) => at),
  });
}

function show(day: PlayedDay): void {
  console.table(operationTable(day.operations));
  console.table(hourTable(day.slots));
  if (day.units.length > 0) console.table(unitsTable(day.units, day.orders));
  console.table(day.totals);
  const { played: inAll, settled, checked } = day.seconds;
  console.log(
    `${day.orders} orders within ${fixed(inAll)} s, all done after ${fixed(settled)} s, read back after ${fixed(checked)} s: ${speedOf(day)}.`,
  );
  console.log(
    `Processor time: stack ${fixed(day.cpu.stack, 0)} s, driver and receiver ${fixed(day.cpu.bench, 0)} s. ` +
      `Killed ${day.kills.length} times${day.kills.map(({ awayMs }) => `, away for ${fixed(awayMs / 1000)} s`).join('')}.`,
  );
  console.log(
    `${day.webhooks} webhooks came with a valid signature, ${day.repeats} of them again. ${day.registrations} parcels were registered.`,
  );
}

function judge(what: string, faults: readonly string[]): void {
  if (faults.length === 0) {
    console.log(`${what}: nothing.`);
    return;
  }
  process.exitCode = 1;
  console.error(`${what} or wrong, ${faults.length} in all:\n${faults.slice(0, mostShown).join('\n')}`);
}
