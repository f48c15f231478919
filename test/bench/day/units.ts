import type { Usage } from '#lib/local/aws/usage.ts';

export interface UnitsRow {
  /** The route of the API, or the function if something else called it. */
  operation: string;
  requests: number;
  readUnits: number;
  writeUnits: number;
}

/** What the functions asked of AWS, added up as it is taken, because a day is longer than any list of it. */
export class Units {
  readonly #rows = new Map<string, UnitsRow>();

  add(usages: readonly Usage[]): void {
    for (const { functionId, route, readUnits, writeUnits } of usages) {
      this.#add({ operation: route ?? functionId, requests: 1, readUnits, writeUnits });
    }
  }

  /** Of a process that is about to end. */
  addRows(rows: readonly UnitsRow[]): void {
    for (const row of rows) this.#add(row);
  }

  #add({ operation, requests, readUnits, writeUnits }: UnitsRow): void {
    const row = this.#rows.get(operation) ?? { operation, requests: 0, readUnits: 0, writeUnits: 0 };
    row.requests += requests;
    row.readUnits += readUnits;
    row.writeUnits += writeUnits;
    this.#rows.set(operation, row);
  }

  /** The dearest first. */
  rows(): UnitsRow[] {
    return [...this.#rows.values()].toSorted((a, b) => b.writeUnits - a.writeUnits || b.readUnits - a.readUnits);
  }
}
