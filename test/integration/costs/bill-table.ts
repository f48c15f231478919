import { type Assumptions, type BillLine, billOf, type OrderUsage, sumOf } from './bill.ts';
import { measuredFunctions } from './played-orders.ts';
import { sectionOf } from './readme-table.ts';

export interface Side {
  order: OrderUsage;
  assumptions: Assumptions;
}

const section = sectionOf('bill');

/** The write units of one order, by function, and the bill of a million of them, by service. */
export const renderBill = (before: Side, after: Side): string =>
  `${unitsTable(before.order, after.order)}\n${servicesTable(billOf(before.order, before.assumptions), billOf(after.order, after.assumptions))}`;

function unitsTable(before: OrderUsage, after: OrderUsage): string {
  const rows = measuredFunctions
    .filter((name) => before.writeUnits[name] + after.writeUnits[name] > 0)
    .map((name) => [
      name,
      ...[before, after].flatMap(({ writeUnits, readUnits }) => [shown(writeUnits[name]), shown(readUnits[name])]),
    ]);
  const total = [
    '**all**',
    ...[before, after].flatMap(({ writeUnits, readUnits }) => [bold(sumOf(writeUnits)), shown(sumOf(readUnits))]),
  ];
  const head = ['Function', 'Write units before', 'Read units before', 'Write units', 'Read units'];
  return tableOf(head, [...rows, total]);
}

function servicesTable(before: readonly BillLine[], after: readonly BillLine[]): string {
  const rows = after.map(({ service, quantity, unit, dollars }, i) => [
    service,
    `${shown(before[i]!.quantity)} ${unit}`,
    price(before[i]!.dollars),
    `${shown(quantity)} ${unit}`,
    price(dollars),
  ]);
  const sum = (lines: readonly BillLine[]) => price(lines.reduce((total, { dollars }) => total + dollars, 0));
  const head = ['Service', 'Before', '$ before', 'Now', '$ now'];
  return tableOf(head, [...rows, ['**all**', '', `**${sum(before)}**`, '', `**${sum(after)}**`]]);
}

const tableOf = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');

const shown = (number: number): string => String(Math.round(number * 10) / 10);
const bold = (number: number): string => `**${shown(number)}**`;
const price = (dollars: number): string => dollars.toFixed(2);

export const writeBill = section.write;

/** The write units of an order as the README has them. */
export function writtenUnits(): number {
  const row = section.read().match(/^\| \*\*all\*\* \|[^|]*\|[^|]*\| \*\*([\d.]+)\*\* \|/m);
  return Number(row?.[1]);
}
