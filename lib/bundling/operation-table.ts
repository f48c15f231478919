import type { Plugin } from 'esbuild';
import { operations } from '#schemas/client/operations.ts';

export const tableModule = (): string =>
  `export const operations: Record<string, string> = ${JSON.stringify(operations)};`;

/** Puts the finished table of operations into the place of schemas/client/operations.ts, which needs all declarations. */
export const operationTable = (): Plugin => ({
  name: 'operation-table',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]schemas[\\/]client[\\/]operations\.ts$/ }, () => ({
      contents: tableModule(),
      loader: 'ts',
    }));
  },
});
