import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { Usage } from '#lib/local/aws/usage.ts';
import type { Scenario } from './scenarios.ts';

const folder = new URL('tables/', import.meta.url);

/** The files that `npm run costs` writes, without their ending. */
export const tableNames = () => readdirSync(folder).map((name) => name.replace(/\.md$/, ''));

/** A file of its own for each family, for the functions behind the API and for the bill. */
export function tableFile(name: string, title: string) {
  const file = new URL(`${name}.md`, folder);
  const head = `# ${title}\n\n\`npm run costs\` writes this file. [README.md](../README.md) says how it is measured and how to read it.\n\n`;
  return {
    read: (): string => readFileSync(file, 'utf8').slice(head.length),
    write: (content: string): void => writeFileSync(file, head + content),
  };
}

/** With the stored table, which `npm run costs` writes anew first. */
export function expectTable(name: string, title: string, table: string): void {
  const file = tableFile(name, title);
  if (process.env.UPDATE_COSTS) file.write(table);
  expect(table.split('\n')).toEqual(file.read().split('\n'));
}

export interface Cost {
  scenario: Pick<Scenario, 'operation' | 'case' | 'access' | 'code' | 'maxReadUnits' | 'varies'>;
  usages: Usage[];
}

export function renderTable(of: 'Operation' | 'Function', costs: readonly Cost[]): string {
  const rows = costs.map(({ scenario, usages }) => [
    `\`${scenario.operation}\`${scenario.case ? `, ${scenario.case}` : ''}`,
    scenario.access,
    (scenario.varies ? actionsOf(usages) : requestsOf(usages)) || 'none',
    scenario.varies ? `at most ${scenario.maxReadUnits}` : String(sum(usages, 'readUnits')),
    String(sum(usages, 'writeUnits')),
    `[${scenario.code.split('/').at(-1)}](../../../../${scenario.code})`,
  ]);
  const head = [of, 'Keys and index', 'Requests', 'Read units', 'Write units', 'Code'];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

const sum = (usages: Usage[], units: 'readUnits' | 'writeUnits') => usages.reduce((total, u) => total + u[units], 0);

export const readUnitsOf = (usages: Usage[]) => sum(usages, 'readUnits');

const actionsOf = (usages: Usage[]) => [...new Set(usages.map(({ action }) => action))].sort().join(', ');

/** The count of each, because parallel requests have no order. */
function requestsOf(usages: Usage[]): string {
  const byAction = [...Map.groupBy(usages, ({ action }) => action)].sort(([a], [b]) => (a < b ? -1 : 1));
  return byAction.map(([action, { length }]) => (length === 1 ? action : `${length} × ${action}`)).join(', ');
}
