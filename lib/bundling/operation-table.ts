import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';
import { operations } from '#schemas/client/operations.ts';

export const tableModule = (table = operations): string =>
  `export const operations: Record<string, string> = ${JSON.stringify(table)};`;

const consoleSources = fileURLToPath(new URL('../console/', import.meta.url));

/** What the console names nowhere, it does not call, and its first load is small. */
function ofConsole() {
  const files = globSync('**/*.{ts,tsx}', { cwd: consoleSources });
  const words = new Set(files.flatMap((file) => readFileSync(`${consoleSources}${file}`, 'utf8').match(/\w+/g) ?? []));
  return Object.fromEntries(Object.entries(operations).filter(([id]) => words.has(id)));
}

/** Puts the finished table of operations into the place of schemas/client/operations.ts, which needs all declarations. */
export const operationTable = (): Plugin => ({
  name: 'operation-table',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]schemas[\\/]client[\\/]operations\.ts$/ }, () => ({
      contents: tableModule(ofConsole()),
      loader: 'ts',
    }));
  },
});
