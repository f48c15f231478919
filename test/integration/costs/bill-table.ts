import {
  type Assumptions,
  type BillLine,
  billOf,
  billOfMails,
  type MailUsage,
  mailsOfOrder,
  type OrderUsage,
  sumOf,
} from './bill.ts';
import { type BilledStage, billedStages } from './billed-stages.ts';
import { type MeasuredFunction, measuredFunctions } from './played-orders.ts';
import { tableFile } from './tables.ts';

export interface Side {
  order: OrderUsage;
  assumptions: Assumptions;
}

const file = tableFile('bill', 'What a million orders cost');

const sides = ['before', ...billedStages] as const;
export type Sides = Record<(typeof sides)[number], Side>;

const totalOf = (lines: readonly BillLine[]): number => lines.reduce((sum, { dollars }) => sum + dollars, 0);

export const dollarsOf = ({ order, assumptions }: Side): number => totalOf(billOf(order, assumptions));

/** The write units of one order, by function, the bill of a million of them, by service, and what mails add to it. */
export const renderBill = (given: Sides, mail: MailUsage, fed: Record<BilledStage, OrderUsage>): string => {
  const all = sides.map((side) => given[side]);
  return `${unitsTable(all.map(({ order }) => order))}\n${servicesTable(all.map((side) => billOf(side.order, side.assumptions)))}\n${mailsTable(mail, given.prod.assumptions)}\n${feedTable(given, fed)}`;
};

function mailsTable(mail: MailUsage, assumptions: Assumptions): string {
  const lines = billOfMails(mail, assumptions);
  const rows = lines.map(({ service, quantity, unit, dollars }) => [
    service,
    `${shown(quantity)} ${unit}`,
    price(dollars),
  ]);
  const sum = price(totalOf(lines));
  const added = tableOf(['Service', 'Quantity', '$'], [...rows, ['**all**', '', `**${sum}**`]]);
  return `In a stage that names a sender, ${mailsOfOrder} e-mails for each order add:\n\n${added}`;
}

/** What an order of the same shop needs more if the shop has a feed, and its endpoint a ledger. */
function feedTable(given: Sides, fed: Record<BilledStage, OrderUsage>): string {
  const added = (part: 'writeUnits' | 'readUnits', name: MeasuredFunction, stage: BilledStage) =>
    fed[stage][part][name] - given[stage].order[part][name];
  const rows = measuredFunctions
    .map((name) => [
      name,
      ...billedStages.flatMap((stage) => [
        shown(added('writeUnits', name, stage)),
        shown(added('readUnits', name, stage)),
      ]),
    ])
    .filter(([, ...units]) => units.some((one) => Number(one) !== 0));
  const total = billedStages.flatMap((stage) => [
    bold(sumOf(fed[stage].writeUnits) - sumOf(given[stage].order.writeUnits)),
    shown(sumOf(fed[stage].readUnits) - sumOf(given[stage].order.readUnits)),
  ]);
  const prices = billedStages.flatMap((stage) => [
    price(dollarsOf({ ...given[stage], order: fed[stage] }) - dollarsOf(given[stage])),
    '',
  ]);
  const head = ['Function', ...billedStages.flatMap((stage) => [`Write units, ${stage}`, `Read units, ${stage}`])];
  const table = tableOf(head, [...rows, ['**all**', ...total], ['$ for a million orders', ...prices]]);
  return `In a shop with the feed, an order needs in addition:\n\n${table}`;
}

function unitsTable(orders: readonly OrderUsage[]): string {
  const rows = measuredFunctions
    .filter((name) => orders.some(({ writeUnits, readUnits }) => writeUnits[name] + readUnits[name] > 0))
    .map((name) => [
      name,
      ...orders.flatMap(({ writeUnits, readUnits }) => [shown(writeUnits[name]), shown(readUnits[name])]),
    ]);
  const total = [
    '**all**',
    ...orders.flatMap(({ writeUnits, readUnits }) => [bold(sumOf(writeUnits)), shown(sumOf(readUnits))]),
  ];
  const head = ['Function', ...sides.flatMap((side) => [`Write units, ${side}`, `Read units, ${side}`])];
  return tableOf(head, [...rows, total]);
}

function servicesTable(bills: readonly (readonly BillLine[])[]): string {
  const rows = bills[0]!.map(({ service, unit }, i) => [
    service,
    ...bills.flatMap((lines) => [`${shown(lines[i]!.quantity)} ${unit}`, price(lines[i]!.dollars)]),
  ]);
  const head = ['Service', ...sides.flatMap((side) => [side, `$ ${side}`])];
  return tableOf(head, [...rows, ['**all**', ...bills.flatMap((lines) => ['', `**${price(totalOf(lines))}**`])]]);
}

const tableOf = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');

const shown = (number: number): string => String(Math.round(number * 10) / 10);
const bold = (number: number): string => `**${shown(number)}**`;
const price = (dollars: number): string => dollars.toFixed(2);

export const writeBill = file.write;

/** The write units of an order as the bill has them. */
export function writtenUnits(stage: BilledStage): number {
  const row = file.read().match(/^\| \*\*all\*\* \|(.*)\|$/m);
  const writeUnits = [...(row?.[1] ?? '').matchAll(/\*\*([\d.]+)\*\*/g)].map(([, units]) => Number(units));
  return writeUnits[sides.indexOf(stage)] ?? Number.NaN;
}
