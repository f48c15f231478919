import { type KeyRateSetting, type Stage, usualKeyRate, usualMailsPerSecond } from '#lib/stage.ts';
import { unitsOf } from '#platform/access/key-rate.ts';
import { partitions } from '#schemas/catalogues/table.ts';
import { functionIds, pipelineIds, type Resource, resourcesOf, type Template } from '#test/infra/synthesis.ts';
import { shardsOf } from './billed-stages.ts';
import { ceilingOf, type HotKey, hottestFirst, isOfShop } from './hot-keys.ts';

/** What holds a path up, and at how many operations a second. */
export interface Limit {
  name: string;
  perSecond: number;
  change: string;
}

/** What of a stage limits paths, from its settings and its template. */
export interface Capacity {
  keyRate: KeyRateSetting;
  /** Requests a second that the stage of API Gateway passes on. */
  throttle: number;
  /** Of the customers' pages. Absent: they share the throttle and the executions with everybody. */
  pages: { reserved: number } | undefined;
  /** The same of the webhooks of tracking providers. */
  providers: { reserved: number } | undefined;
  ingest: Reader;
  delivery: Reader;
  runs: Reader;
  fanOut: { batchSize: number; atOnce: number };
  mailsPerSecond: number;
  table: Throughput;
  /** Executions that are left for the API while everything else runs at its most. */
  apiExecutions: number;
}

interface Reader {
  concurrency: number;
  batchSize: number;
}

/** Units a second. */
interface Throughput {
  writeUnitsPerSecond: number;
  readUnitsPerSecond: number;
}

/** https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html: new accounts have less at first. */
const accountExecutions = 1000;

/** https://docs.aws.amazon.com/lambda/latest/dg/urls-configuration.html#urls-throttling */
const requestsOfReserved = 10;

/** Milliseconds of an invocation, as in the bill; each further message of a batch takes ten more. */
const assumed = { invocation: 40, furtherMessage: 10, delivery: 120 };

/** A worker sends so many deliveries of one target at the same time: functions/pipeline/delivery/handler.ts. */
const deliveriesAtOnce = 3;

/** The indexes of a table too, whatever the table has: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/warm-throughput.html */
const newTable: Throughput = { writeUnitsPerSecond: 4000, readUnitsPerSecond: 12_000 };

export function capacityOf(stage: Stage, template: Template): Capacity {
  const pipeline = pipelineIds(template);
  const families = functionIds(template);
  const mappings = resourcesOf(template, 'AWS::Lambda::EventSourceMapping').map(([, { Properties }]) => Properties);
  const functions = resourcesOf(template, 'AWS::Lambda::Function');
  const urls = resourcesOf(template, 'AWS::Lambda::Url').map(([, { Properties }]) => JSON.stringify(Properties));
  const hasUrl = (id: string) => urls.some((text) => text.includes(`"${id}"`));
  const ownOf = (id: string) => {
    const { ReservedConcurrentExecutions: reserved } = template.Resources[id]!.Properties;
    return reserved === undefined || !hasUrl(id) ? undefined : { reserved };
  };
  const [method] = resourcesOf(template, 'AWS::ApiGateway::Stage')[0]![1].Properties.MethodSettings;
  const stream = mappings.find(
    ({ FunctionName, StartingPosition }) => isOf(FunctionName, pipeline['fan-out']!) && StartingPosition,
  )!;
  const shards = shardsOf(stage);
  const reserved = sum(functions.map(([, { Properties }]) => Properties.ReservedConcurrentExecutions ?? 0));
  const reading = sum(
    mappings.map((own) => own.ScalingConfig?.MaximumConcurrency ?? shards * (own.ParallelizationFactor ?? 1)),
  );
  return {
    keyRate: stage.keyRate ?? usualKeyRate,
    throttle: method.ThrottlingRateLimit,
    pages: ownOf(families.pages!),
    providers: ownOf(families['tracking-providers']!),
    ingest: readerOf(mappings, pipeline.ingest!),
    delivery: readerOf(mappings, pipeline.delivery!),
    runs: readerOf(mappings, pipeline['automation-runs']!),
    fanOut: { batchSize: stream.BatchSize, atOnce: shards * stream.ParallelizationFactor },
    mailsPerSecond: stage.email?.maxPerSecond ?? usualMailsPerSecond,
    table: stage.warmThroughput ?? newTable,
    apiExecutions: accountExecutions - reserved - reading,
  };
}

const isOf = (name: { Ref?: string }, id: string) => name.Ref === id;
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** The queue that most executions read is the one that the function is made for. */
function readerOf(mappings: readonly Resource['Properties'][], id: string): Reader {
  const own = mappings.filter(({ FunctionName, ScalingConfig }) => isOf(FunctionName, id) && ScalingConfig);
  const [first] = own.toSorted((a, b) => b.ScalingConfig.MaximumConcurrency - a.ScalingConfig.MaximumConcurrency);
  return { concurrency: first.ScalingConfig.MaximumConcurrency, batchSize: first.BatchSize };
}

/** With whole batches, which is what there is when there is more than a function can do. */
const batchesOf = ({ concurrency, batchSize }: Reader): number => {
  const ms = assumed.invocation + (batchSize - 1) * assumed.furtherMessage;
  return Math.floor((concurrency * batchSize * 1000) / ms);
};

/** Of targets that answer in 120 ms. A batch of one target is the slowest. */
const deliveriesOf = ({ concurrency, batchSize }: Reader): number =>
  Math.floor((concurrency * batchSize * 1000) / (Math.ceil(batchSize / deliveriesAtOnce) * assumed.delivery));

/** What the operations of a path took. */
export interface Load {
  hot: HotKey[];
  /** Of one operation: by `table`, or by the name of an index. */
  units: ReadonlyMap<string, Units>;
}

export interface Units {
  writes: number;
  reads: number;
}

const quota = 'the quota of the account for concurrent executions';

/** By name, the limits of one shop and of everybody. The least of each is the ceiling. */
export interface Limits {
  shop: Limit[];
  all: Limit[];
}

const changeOf = ({ place, name, shards, writeUnits, readUnits }: HotKey): string => {
  if (readUnits / 3 > writeUnits) {
    return place === 'table' ? 'what is read of it in memory, by a version' : 'what has to be counted of it';
  }
  if (shards === 1 && name.startsWith(partitions.promotionCounts)) {
    return 'its shards in the partition key instead of the sort key: functions/platform/table/keys.ts';
  }
  return `${shards > 1 ? 'more shards' : 'shards for it'}: functions/platform/table/shards.ts`;
};

export function keyLimits({ hot }: Load): Limits {
  const limitOf = (key: HotKey): Limit => ({
    name: `\`${key.name}\` of ${key.place === 'table' ? 'the table' : `\`${key.place}\``}`,
    perSecond: ceilingOf(key),
    change: changeOf(key),
  });
  const limits = hottestFirst(hot).map((key) => ({ isOfShop: isOfShop(key), limit: limitOf(key) }));
  // What is hot for everybody is so for one shop.
  return {
    shop: limits.map(({ limit }) => limit),
    all: limits.filter((one) => !one.isOfShop).map(({ limit }) => limit),
  };
}

/** Of the table and of each index, all keys together. */
export const tableLimits = ({ table }: Capacity, { units }: Load): Limit[] =>
  [...units].map(([place, { writes, reads }]) => {
    const isTable = place === 'table';
    const { writeUnitsPerSecond, readUnitsPerSecond } = isTable ? table : newTable;
    return {
      name: `${isTable ? 'the table' : `the index \`${place}\``} as it begins`,
      perSecond: Math.floor(Math.min(quotient(writeUnitsPerSecond, writes), quotient(readUnitsPerSecond, reads))),
      change: isTable
        ? '`warmThroughput` of the stage'
        : 'a warm throughput of its own: lib/constructs/service-table.ts',
    };
  });

const quotient = (units: number, ofOne: number): number => (ofOne > 0 ? units / ofOne : Number.POSITIVE_INFINITY);

/** Of requests that a shop's key makes. @param ms that one of them takes */
export const rateOfShop = ({ keyRate }: Capacity, ms = assumed.invocation): Limit => ({
  name: 'the rate of its keys',
  perSecond: Math.floor(keyRate.unitsPerSecond / unitsOf(ms)),
  change: '`keyRate` of the stage',
});

export const gatewayLimits = ({ throttle, apiExecutions }: Capacity): Limit[] => [
  {
    name: 'the throttle of API Gateway',
    perSecond: throttle,
    change: '`throttle` of the stage, up to the quota of 10,000',
  },
  {
    name: 'executions left for the API',
    perSecond: Math.floor((apiExecutions * 1000) / assumed.invocation),
    change: quota,
  },
];

/** Anonymous callers have a throttle of their own, if the template has one. @param setting of the stage */
export function ownLimits(capacity: Capacity, own: 'pages' | 'providers'): Limit[] {
  const { reserved } = capacity[own] ?? {};
  if (reserved === undefined) return gatewayLimits(capacity);
  const change = `\`${own}Concurrency\` of the stage`;
  return [
    {
      name: `ten requests for each of ${reserved} reserved executions`,
      perSecond: reserved * requestsOfReserved,
      change,
    },
    { name: 'the reserved executions', perSecond: Math.floor((reserved * 1000) / assumed.invocation), change },
  ];
}

export const readerLimits = {
  ingest: ({ ingest }: Capacity): Limit => ({
    name: `${ingest.concurrency} executions of ingest`,
    perSecond: batchesOf(ingest),
    change: 'maxConcurrency of lib/constructs/carrier-updates.ts',
  }),
  delivery: ({ delivery }: Capacity): Limit => ({
    name: `${delivery.concurrency} executions of delivery`,
    perSecond: deliveriesOf(delivery),
    change: 'maxConcurrency of lib/constructs/deliveries.ts',
  }),
  runs: ({ runs }: Capacity): Limit => ({
    name: `${runs.concurrency} executions of automation-runs`,
    perSecond: batchesOf(runs),
    change: 'maxConcurrency of lib/constructs/automation-runs.ts',
  }),
  fanOut: ({ fanOut: { batchSize, atOnce } }: Capacity): Limit => ({
    name: `${atOnce} batches of fan-out at once`,
    perSecond: batchesOf({ concurrency: atOnce, batchSize }),
    change: 'parallelizationFactor of lib/constructs/fan-out.ts, up to 10; more shards come with `warmThroughput`',
  }),
  mails: ({ mailsPerSecond }: Capacity): Limit => ({
    name: 'the rate of SES',
    perSecond: mailsPerSecond,
    change: 'the quota of SES, and `email.maxPerSecond` of the stage',
  }),
};

export const leastOf = (limits: readonly Limit[]): Limit => limits.toSorted((a, b) => a.perSecond - b.perSecond)[0]!;
