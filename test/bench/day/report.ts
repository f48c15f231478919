import { fixed } from '../statistics.ts';
import { clockOf, hours, slotsOfHour } from './curve.ts';
import type { OperationRow } from './http.ts';
import { type Slot, shortest, together } from './log.ts';
import type { UnitsRow } from './units.ts';

type Row = Record<string, string | number>;

const shown = (value: number, digits = 0): string => (Number.isFinite(value) ? fixed(value, digits) : '');
const perSecond = (count: number, seconds: number): string => (seconds >= shortest ? fixed(count / seconds) : '');
export const megabytes = (bytes: number | undefined): string => (bytes === undefined ? '' : fixed(bytes / 2 ** 20, 0));

export function operationTable(rows: ReadonlyMap<string, OperationRow>): Record<string, Row> {
  const table: Record<string, Row> = {};
  for (const [name, { waits, maxMs, requests, unanswered, refused }] of rows) {
    table[name] = {
      requests,
      'median ms': shown(waits.quantile(0.5), 1),
      'p99 ms': shown(waits.quantile(0.99), 1),
      'max ms': shown(maxMs),
      'no answer': unanswered,
      '429 and 5xx': refused,
    };
  }
  return table;
}

function slotRow({ seconds, orders, requests, deliveries, waits, lags, sample }: Slot): Row {
  return {
    s: shown(seconds, 1),
    orders,
    'orders/s': perSecond(orders, seconds),
    'requests/s': perSecond(requests, seconds),
    'webhooks/s': perSecond(deliveries, seconds),
    'wait p50': shown(waits.quantile(0.5)),
    'wait p99': shown(waits.quantile(0.99)),
    'lag p50': shown(lags.quantile(0.5)),
    'lag p99': shown(lags.quantile(0.99)),
    'rss MB': megabytes(sample?.rss),
    'heap MB': megabytes(sample?.heapUsed),
    'external MB': megabytes(sample?.external),
    'disk MB': megabytes(sample?.diskBytes),
  };
}

/** By the hour; waits and lags in milliseconds. */
export function hourTable(slots: readonly Slot[]): Record<string, Row> {
  const table: Record<string, Row> = {};
  for (let hour = 0; hour < hours; hour++) {
    const row = together(slots.slice(hour * slotsOfHour, (hour + 1) * slotsOfHour));
    table[clockOf(hour * slotsOfHour)] = slotRow(row);
  }
  table['until all was done'] = slotRow(slots[hours * slotsOfHour]!);
  return table;
}

/** @param orders by which the units are divided */
export function unitsTable(rows: readonly UnitsRow[], orders: number): Record<string, Row> {
  const all = { operation: 'together', requests: 0, readUnits: 0, writeUnits: 0 };
  for (const row of rows) {
    all.requests += row.requests;
    all.readUnits += row.readUnits;
    all.writeUnits += row.writeUnits;
  }
  return Object.fromEntries(
    [...rows, all].map(({ operation, requests, readUnits, writeUnits }) => [
      operation,
      {
        'requests to AWS': requests,
        'read units': shown(readUnits),
        'write units': shown(writeUnits),
        'read units an order': shown(readUnits / orders, 2),
        'write units an order': shown(writeUnits / orders, 2),
      },
    ]),
  );
}
