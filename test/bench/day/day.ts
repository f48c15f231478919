import { fixed } from '../statistics.ts';
import { rush, weights } from './curve.ts';
import { type DayOptions, readOptions } from './options.ts';
import { type PlayedDay, playDay } from './play.ts';
import { hourTable, operationTable, unitsTable } from './report.ts';

const mostShown = 40;

/** `npm run bench -- day`: a large shop's day through HTTP on the local stack. Fails if anything was lost. */
export async function benchDay(args: readonly string[]): Promise<void> {
  const options = readOptions(args);
  introduce(options);
  const day = await playDay(options, (line) => console.log(line));
  show(day);
  if (day.faults.length > 0) process.exitCode = 1;
}

function introduce({ orders, factor, kills, seed, concurrency }: DayOptions): void {
  const speed = factor === undefined ? 'as fast as the stack takes it' : `${factor} times as fast as the clock`;
  console.log(
    `${orders} orders, ${speed}, ${concurrency} requests at once, ${kills} kills, seed ${seed}. ` +
      `Orders by the hour, beside the quietest: ${weights.join(' ')}; ` +
      `from ${rush.fromMs / 3_600_000}:00 for ${rush.minutes} minutes ${rush.times} times the mean.`,
  );
}

function show({ faults, seconds, orders, operations, slots, units, ...day }: PlayedDay): void {
  console.table(operationTable(operations));
  console.table(hourTable(slots));
  if (units.length > 0) console.table(unitsTable(units, orders));
  console.table(day.totals);
  const { played, settled, checked } = seconds;
  console.log(
    `${orders} orders within ${fixed(played)} s, all done after ${fixed(settled)} s, read back after ${fixed(checked)} s: ` +
      `${fixed(orders / settled, 2)} orders/s. ` +
      `Processor: stack ${fixed(day.cpu.stack, 0)} s, driver and receiver ${fixed(day.cpu.bench, 0)} s.`,
  );
  console.log(
    `${day.webhooks} webhooks came with a valid signature, ${day.repeats} of them again; ${day.registrations} parcels were registered.`,
  );
  console.log(
    `Killed ${day.kills.length} times${day.kills.map(({ awayMs }) => `, away for ${fixed(awayMs / 1000)} s`).join('')}.`,
  );
  if (faults.length === 0) console.log('Lost: nothing.');
  else console.error(`Lost or wrong, ${faults.length} in all:\n${faults.slice(0, mostShown).join('\n')}`);
}
