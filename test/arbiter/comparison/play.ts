import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, answerOf, ask, type Content, sorted } from './answer.ts';
import { caseOf, otherTable, type Request, type Theme, tableName } from './theme.ts';

/** All that one case brings out of an engine. */
export interface Result {
  answers: Answer[];
  /** What the table holds afterwards, where a request could have changed it. */
  after?: unknown[];
  stream?: unknown[];
}

const reading = /^(Get|Query|Scan|BatchGet|TransactGet|Describe|List)/;
const ofOneTable = /^(Put|Get|Update|Delete)Item$|^(Query|Scan)$|^(Describe|Update)(Table|TimeToLive)$|^DeleteTable$/;
const mostPages = 50;
const activeLimit = 10_000;

/** Plays the cases of a theme, in their order, on one engine. */
export class Player {
  readonly #endpoint: string;
  readonly #theme: Theme;
  #fresh = false;

  constructor(endpoint: string, theme: Theme) {
    this.#endpoint = endpoint;
    this.#theme = theme;
  }

  async play(title: string): Promise<Result> {
    const { given, requests, everyPage, stream } = caseOf(this.#theme.cases[title]!);
    await this.#prepare(given);
    const answers: Answer[] = [];
    for (const request of requests.map(withTable)) {
      answers.push(...(everyPage ? await this.#pages(request) : [answerOf(request, await this.#ask(request))]));
    }
    const changes = requests.some((request) => !reading.test(Object.keys(request)[0]!));
    if (changes || given) this.#fresh = false;
    return {
      answers,
      ...(changes && { after: sorted(await this.#items()) }),
      ...(stream && { stream: await this.#stream() }),
    };
  }

  #ask(request: Request) {
    return ask(this.#endpoint, request);
  }

  async #must(request: Request): Promise<Content> {
    const { status, content } = await this.#ask(request);
    if (status === 200) return content;
    throw new Error(`${JSON.stringify(request).slice(0, 1000)} was refused: ${JSON.stringify(content)}`);
  }

  async #prepare(given: object[] = []): Promise<void> {
    if (this.#theme.tableEach) await this.#ask({ DeleteTable: { TableName: otherTable } });
    if (!this.#fresh || this.#theme.tableEach) await this.#renew();
    for (const Item of given) await this.#must({ PutItem: { TableName: tableName, Item } });
    this.#fresh = true;
  }

  async #renew(): Promise<void> {
    const { content } = await this.#ask({ DescribeTable: { TableName: tableName } });
    if (content.Table && !this.#theme.tableEach && this.#created) await this.#empty();
    else {
      if (content.Table) await this.#must({ DeleteTable: { TableName: tableName } });
      await this.#must({ CreateTable: this.#theme.table });
      await this.#active();
      this.#created = true;
    }
    for (const Item of this.#theme.given ?? []) await this.#must({ PutItem: { TableName: tableName, Item } });
  }

  #created = false;

  async #active(): Promise<void> {
    for (const end = Date.now() + activeLimit; Date.now() < end; await delay(20)) {
      const { Table } = (await this.#must({ DescribeTable: { TableName: tableName } })) as { Table: Content };
      if (Table.TableStatus === 'ACTIVE') return;
    }
    throw new Error(`The table did not become active within ${activeLimit} ms.`);
  }

  async #empty(): Promise<void> {
    const names = (this.#theme.table as { KeySchema: { AttributeName: string }[] }).KeySchema;
    for (const found of await this.#items()) {
      const Key = Object.fromEntries(names.map(({ AttributeName }) => [AttributeName, found[AttributeName]]));
      await this.#must({ DeleteItem: { TableName: tableName, Key } });
    }
  }

  async #items(): Promise<Content[]> {
    const { status, content } = await this.#ask({ Scan: { TableName: tableName, ConsistentRead: true } });
    return status === 200 ? (content.Items as Content[]) : [];
  }

  async #pages(request: Request): Promise<Answer[]> {
    const answers: Answer[] = [];
    const [[operation, input]] = Object.entries(request) as [[string, object]];
    let ExclusiveStartKey: unknown;
    do {
      const page = { [operation]: { ...input, ...(ExclusiveStartKey ? { ExclusiveStartKey } : {}) } };
      const reply = await this.#ask(page);
      answers.push(answerOf(page, reply));
      ExclusiveStartKey = reply.content.LastEvaluatedKey;
    } while (ExclusiveStartKey && answers.length < mostPages);
    return answers;
  }

  /** Every record since the table was made, without what no two streams share. */
  async #stream(): Promise<unknown[]> {
    const { Table } = (await this.#must({ DescribeTable: { TableName: tableName } })) as { Table: Content };
    const StreamArn = Table.LatestStreamArn;
    const { StreamDescription } = (await this.#must({ DescribeStream: { StreamArn } })) as {
      StreamDescription: { Shards: { ShardId: string }[] };
    };
    const records: unknown[] = [];
    for (const { ShardId } of StreamDescription.Shards) {
      const from = { StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' };
      const { ShardIterator } = await this.#must({ GetShardIterator: from });
      const { Records } = (await this.#must({ GetRecords: { ShardIterator } })) as { Records: StreamRecord[] };
      records.push(...Records.map(recordOf));
    }
    return records;
  }
}

interface StreamRecord extends Content {
  dynamodb: Content;
}

function recordOf({ eventID, awsRegion, dynamodb, ...record }: StreamRecord): unknown {
  const { ApproximateCreationDateTime, SequenceNumber, ...change } = dynamodb;
  const kinds = { eventID: typeof eventID, SequenceNumber: typeof SequenceNumber };
  return { ...record, ...kinds, time: typeof ApproximateCreationDateTime, dynamodb: change };
}

function withTable(request: Request): Request {
  const [[operation, input]] = Object.entries(request) as [[string, object]];
  return ofOneTable.test(operation) ? { [operation]: { TableName: tableName, ...input } } : request;
}
