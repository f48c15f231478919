import { readFileSync, writeFileSync } from 'node:fs';
import type { Usage } from '#lib/local/aws/usage.ts';
import type { Scenario } from './scenarios.ts';

const file = new URL('table.md', import.meta.url);

/** A table of table.md, which `npm run costs` writes. */
export function sectionOf(name: string) {
  const [begin, end] = [`<!-- ${name}: written by \`npm run costs\` -->\n`, `<!-- end of ${name} -->`];
  const around = () => {
    const text = readFileSync(file, 'utf8');
    const [from, to] = [text.indexOf(begin) + begin.length, text.indexOf(end)];
    return { before: text.slice(0, from), content: text.slice(from, to), after: text.slice(to) };
  };
  return {
    read: (): string => around().content,
    write: (content: string): void => {
      const { before, after } = around();
      writeFileSync(file, before + content + after);
    },
  };
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
    `[${scenario.code.split('/').at(-1)}](../../../${scenario.code})`,
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
