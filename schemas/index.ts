import { meta } from './meta.ts';
import type { Operation, Operations } from './operation.ts';
import { shops } from './shops.ts';

/** Every family of operations. One family is one function: `functions/<family>/handler.ts`. */
export const families = { meta, shops } as const satisfies Record<string, Operations>;

export type FamilyName = keyof typeof families;

export const familyNames = Object.keys(families) as FamilyName[];

export interface DeclaredOperation extends Operation {
  id: string;
  family: FamilyName;
}

export const allOperations: readonly DeclaredOperation[] = familyNames.flatMap((family) =>
  Object.entries(families[family]).map(([id, operation]) => ({ ...(operation as Operation), id, family })),
);
