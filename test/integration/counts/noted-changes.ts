import { table } from '#platform/table/client.ts';
import type { Key } from '#platform/table/reads.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import type { Change } from './made-world.ts';
import type { Wire } from './wire.ts';

interface Request {
  headers: Record<string, string>;
  body: Uint8Array;
}

interface Handler {
  handle(request: Request): Promise<{ response: { statusCode: number } }>;
}

/** What the functions in this process change in the table, each change once and in its order, as the stream has it. */
export class NotedChanges {
  readonly #handler = table.config.requestHandler as unknown as Handler;
  #noted: Change[] = [];

  constructor() {
    const handle = (request: Request) => this.#handle(request);
    table.config.requestHandler = { handle } as never;
  }

  /** Those since it was last asked. */
  take(): Change[] {
    const noted = this.#noted;
    this.#noted = [];
    return noted;
  }

  end(): void {
    table.config.requestHandler = this.#handler as never;
  }

  /** The table answers before anything else happens in this process, so no other change comes in between. */
  #handle(request: Request): ReturnType<Handler['handle']> {
    const keys = writtenKeys(JSON.parse(new TextDecoder().decode(request.body)));
    const before = keys.map(imageOf);
    const answer = this.#handler.handle(request);
    for (const [i, { pk, sk }] of keys.entries()) {
      const after = imageOf({ pk, sk });
      if (JSON.stringify(before[i]) === JSON.stringify(after)) continue;
      this.#noted.push({ pk, sk, before: before[i], after, at: new Date() });
    }
    return answer;
  }
}

const imageOf = (key: Key) => memoryTable.readWire(key) as Wire | undefined;

type WireKey = Record<'pk' | 'sk', { S: string }>;

interface Written {
  Key?: WireKey;
  Item?: WireKey;
  TransactItems?: Partial<Record<'Put' | 'Update' | 'Delete' | 'ConditionCheck', Written>>[];
}

/** Of all requests that name one key or a transaction. One that only reads changes nothing. */
const writtenKeys = ({ Key, Item, TransactItems = [] }: Written): Key[] =>
  [Key ?? Item, ...TransactItems.flatMap(({ Put, Update, Delete }) => [Put?.Item, Update?.Key, Delete?.Key])].flatMap(
    (key) => (key ? [{ pk: key.pk.S, sk: key.sk.S }] : []),
  );
