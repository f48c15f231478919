import { readFileSync, writeFileSync } from 'node:fs';
import type { Usage } from '#lib/local/aws/usage.ts';
import type { Scenario } from './scenarios.ts';

export interface Cost {
  scenario: Scenario;
  usages: Usage[];
}

const readme = new URL('README.md', import.meta.url);
const [begin, end] = ['<!-- costs: written by `npm run costs` -->\n', '<!-- end of costs -->'];

export function renderTable(costs: Cost[]): string {
  const rows = costs.map(({ scenario, usages }) => [
    `\`${scenario.operation}\`${scenario.case ? `, ${scenario.case}` : ''}`,
    scenario.access,
    requestsOf(usages) || 'none',
    String(sum(usages, 'readUnits')),
    String(sum(usages, 'writeUnits')),
    `[${scenario.code.split('/').at(-1)}](../../../${scenario.code})`,
  ]);
  const head = ['Operation', 'Keys and index', 'Requests', 'Read units', 'Write units', 'Code'];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

/** The table in the README beside this file. */
export function writtenTable(): string {
  const text = readFileSync(readme, 'utf8');
  return text.slice(text.indexOf(begin) + begin.length, text.indexOf(end));
}

export function writeTable(table: string): void {
  const text = readFileSync(readme, 'utf8');
  const [before, after] = [text.slice(0, text.indexOf(begin) + begin.length), text.slice(text.indexOf(end))];
  writeFileSync(readme, before + table + after);
}

const sum = (usages: Usage[], units: 'readUnits' | 'writeUnits') => usages.reduce((total, u) => total + u[units], 0);

export const readUnitsOf = (usages: Usage[]) => sum(usages, 'readUnits');

/** The count of each, because parallel requests have no order. */
function requestsOf(usages: Usage[]): string {
  const byAction = [...Map.groupBy(usages, ({ action }) => action)].sort(([a], [b]) => (a < b ? -1 : 1));
  return byAction.map(([action, { length }]) => (length === 1 ? action : `${length} × ${action}`)).join(', ');
}
