import { allOperations } from '../families/index.ts';
import type { Operation } from '../families/operation.ts';

/**
 * Method, path and role of each operation, with a space between them, and `text` if the answer is a document. What another
 * system signs is not among them. A bundler puts the finished table into the place of this file
 * (lib/bundling/operation-table.ts), so that no declaration is shipped.
 */
export const operations: Readonly<Record<string, string>> = Object.fromEntries(
  allOperations.filter(({ role }) => role !== 'signed').map((operation) => [operation.id, entryOf(operation)]),
);

function entryOf({ method, path, role, response }: Operation): string {
  return [method, path, role, ...('mediaType' in response ? ['text'] : [])].join(' ');
}
