import { chosen, flag, type Request } from './request.ts';

const READ_UNIT = 4096;
const WRITE_UNIT = 1024;

export const readUnits = (bytes: number, consistent: boolean) =>
  Math.max(1, Math.ceil(bytes / READ_UNIT)) * (consistent ? 1 : 0.5);

export const writeUnits = (bytes: number) => Math.max(1, Math.ceil(bytes / WRITE_UNIT));

export interface Consumption {
  table: number;
  indexes: Map<string, number>;
  /** The same units by partition key. */
  keys: KeyUnits[];
}

interface KeyUnits {
  /** Undefined: the table. */
  index?: string;
  hash: Buffer;
  units: number;
}

/** What one partition key of the table or of an index took. AWS tells it to nobody; it decides who is throttled. */
export interface KeyHeat {
  /** `table`, or the name of an index. */
  place: string;
  key: string;
  units: number;
}

/** Of a partition key, unless the whole table is read. */
export const consumption = (table = 0, hash?: Buffer): Consumption => ({
  table,
  indexes: new Map(),
  keys: hash ? [{ hash, units: table }] : [],
});

export function addIndexUnits(consumed: Consumption, index: string, units: number, hash?: Buffer): void {
  if (units === 0) return;
  consumed.indexes.set(index, (consumed.indexes.get(index) ?? 0) + units);
  if (hash) consumed.keys.push({ index, hash, units });
}

interface Report {
  ConsumedCapacity?: object;
  Heat?: KeyHeat[];
}

/** The capacity that a request consumed in each table, in the detail that the request asks for. */
export class CapacityReport {
  readonly #mode: 'NONE' | 'TOTAL' | 'INDEXES';
  readonly #unitsName: 'ReadCapacityUnits' | 'WriteCapacityUnits' | undefined;
  readonly #tables = new Map<string, Consumption>();
  /** Only if the request asks for it, which none of AWS can: the recorder of tests does. */
  readonly #heat: KeyHeat[] | undefined;

  /** Transactions report their kind of unit beside the total. Other operations report only the total. */
  constructor(request: Request, unitsName?: 'ReadCapacityUnits' | 'WriteCapacityUnits') {
    this.#mode = chosen(request, 'ReturnConsumedCapacity') ?? 'NONE';
    this.#unitsName = unitsName;
    if (flag(request, 'ReturnHeat')) this.#heat = [];
  }

  /**
   * A transaction costs twice as much in the table, but not in its indexes, which are updated later, outside of the
   * transaction.
   */
  add(table: string, consumed: Consumption, factor = 1): void {
    const sum = this.#tables.get(table) ?? consumption();
    sum.table += consumed.table * factor;
    for (const [index, units] of consumed.indexes) addIndexUnits(sum, index, units);
    this.#tables.set(table, sum);
    for (const { index, hash, units } of this.#heat ? consumed.keys : []) {
      this.#heat!.push({ place: index ?? 'table', key: hash.toString(), units: index ? units : units * factor });
    }
  }

  one(): Report {
    const [first] = this.#entries();
    return { ...(first && { ConsumedCapacity: first }), ...this.#hot() };
  }

  list(): Report {
    return { ...(this.#mode !== 'NONE' && { ConsumedCapacity: this.#entries() }), ...this.#hot() };
  }

  #hot(): Report {
    return this.#heat ? { Heat: this.#heat } : {};
  }

  #entries(): object[] {
    if (this.#mode === 'NONE') return [];
    return [...this.#tables].map(([name, consumed]) => {
      const total = [...consumed.indexes.values()].reduce((sum, units) => sum + units, consumed.table);
      const entry: Record<string, unknown> = { TableName: name, ...this.#units(total) };
      if (this.#mode === 'INDEXES') {
        entry.Table = this.#units(consumed.table);
        const indexes = [...consumed.indexes].map(([index, units]) => [index, this.#units(units)]);
        if (indexes.length > 0) entry.GlobalSecondaryIndexes = Object.fromEntries(indexes);
      }
      return entry;
    });
  }

  #units(units: number): Record<string, number> {
    return { CapacityUnits: units, ...(this.#unitsName && { [this.#unitsName]: units }) };
  }
}
