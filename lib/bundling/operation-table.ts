import type { Plugin } from 'esbuild';
import { operations } from '#schemas/client/operations.ts';

export const tableModule = (table = operations): string =>
  `export const operations: Record<string, string> = ${JSON.stringify(table)};`;

/** What is open to everybody is for customers and other machines, and the console's first load is small. */
const ofConsole = () =>
  Object.fromEntries(Object.entries(operations).filter(([, entry]) => entry.split(' ')[2] !== 'open'));

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
