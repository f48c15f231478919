import { loadStage, type Stage } from '#lib/stage.ts';
import { stackNameOf } from '#lib/synthesize.ts';
import { type Resource, resourcesOf, synthesize, type Template } from '#test/infra/synthesis.ts';
import { type Assumptions, type QueueReader, queueReaders, requestsOfOrder } from './bill.ts';
import { functionIds, type MeasuredFunction, measuredFunctions } from './played-orders.ts';

/** The stages that come with the repository. `dev` has a table as every new one. */
export const billedStages = ['dev', 'prod'] as const;
export type BilledStage = (typeof billedStages)[number];

/** What of the bill follows from how a stage is configured, and from its template. */
export interface StageFacts {
  shards: number;
  assumptions: Assumptions;
}

export async function factsOf(name: BilledStage): Promise<StageFacts> {
  const stage = await loadStage(name);
  const template = synthesize(stage, stackNameOf(name));
  const functions = functionsIn(template);
  return {
    shards: shardsOf(stage),
    assumptions: {
      logBytes: logBytesOf(Object.values(functions), stage),
      kmsRequests: 0.01,
      ...edgeOf(template),
      memory: byName(measuredFunctions, (name) => functions[name].MemorySize / 1024),
      windows: byName(queueReaders, (name) => windowOf(template, name)),
      isTraced: Object.values(functions).some(({ TracingConfig }) => TracingConfig?.Mode === 'Active'),
      alarmMetrics: alarmMetricsIn(template),
      insightRules: insightRulesIn(template),
      privacyRounds: minutesOfMonth,
    },
  };
}

const minutesOfMonth = 30 * 24 * 60;

const byName = <Name extends string, T>(names: readonly Name[], of: (name: Name) => T) =>
  Object.fromEntries(names.map((name) => [name, of(name)])) as Record<Name, T>;

/** What a partition takes in a second, and a new table. */
const ofPartition = { write: 1000, read: 3000 };
const ofNewTable = { writeUnitsPerSecond: 4000, readUnitsPerSecond: 12_000 };

/** The stream has a shard for each partition of the table. */
export function shardsOf({ warmThroughput = ofNewTable }: Pick<Stage, 'warmThroughput'>): number {
  const { writeUnitsPerSecond, readUnitsPerSecond } = warmThroughput;
  return Math.ceil(Math.max(writeUnitsPerSecond / ofPartition.write, readUnitsPerSecond / ofPartition.read));
}

/** An alarm has one metric, or an expression over several. */
export const alarmMetricsIn = (template: Template): number =>
  resourcesOf(template, 'AWS::CloudWatch::Alarm').reduce((sum, [, { Properties }]) => {
    const queries: { MetricStat?: object }[] = Properties.Metrics ?? [{ MetricStat: Properties }];
    return sum + queries.filter(({ MetricStat }) => MetricStat).length;
  }, 0);

/** Of an invocation that succeeds: with INFO our line of the request or batch, with WARN none, and two lines of Lambda itself. */
const logBytesOf = (functions: readonly Properties[], { logLevel = 'INFO' }: Stage): number =>
  (logLevel === 'INFO' ? ownLine : 0) + (functions.some(hasReports) ? reportLines : 0);

const ownLine = 1060;
/** `platform.start` and `platform.report`, each with the 26 bytes that CloudWatch counts for an event. */
const reportLines = 440;
const hasReports = ({ LoggingConfig }: Properties) => LoggingConfig.SystemLogLevel === 'INFO';

/** Two for the table and for each index whose throttled keys get names. */
const insightRulesIn = (template: Template): number => {
  const [[, table]] = resourcesOf(template, 'AWS::DynamoDB::GlobalTable') as [[string, Resource]];
  const named = (table.Properties.Replicas as Properties[]).flatMap(({ GlobalSecondaryIndexes = [], ...replica }) => [
    replica,
    ...GlobalSecondaryIndexes,
  ]);
  return 2 * named.filter((one) => one.ContributorInsightsSpecification?.Enabled).length;
};

type Properties = Resource['Properties'];

const functionsIn = (template: Template): Record<MeasuredFunction, Properties> => {
  const all = resourcesOf(template, 'AWS::Lambda::Function');
  return byName(measuredFunctions, (name) => all.find(([id]) => id.startsWith(functionIds[name]))![1].Properties);
};

const queueMappings = (template: Template): Properties[] =>
  resourcesOf(template, 'AWS::Lambda::EventSourceMapping')
    .map(([, mapping]) => mapping.Properties)
    .filter(({ StartingPosition }) => StartingPosition === undefined);

const windowOf = (template: Template, name: QueueReader): number =>
  queueMappings(template).find(({ FunctionName }) => FunctionName.Ref.startsWith(functionIds[name]))
    .MaximumBatchingWindowInSeconds ?? 0;

/** The paths of the requests of an order. */
const paths: Record<keyof typeof requestsOfOrder, string> = {
  orders: '/v1/shops/blue/orders',
  views: '/t/5rb1Sg7R2Xk8m4TzQwYc',
  webhooks: '/v1/tracking-providers/aftership/webhook',
};

/** How the requests of an order go behind CloudFront: through API Gateway, or to a function directly. */
export function edgeOf(template: Template): Pick<Assumptions, 'gatewayRequests' | 'edgeFunctions'> {
  const { Origins, ...distribution } = distributionWithApi(template);
  const requestsWith = (isMeant: (behavior: Properties) => boolean) =>
    Object.entries(paths)
      .filter(([, path]) => isMeant(behaviorFor(path, distribution)))
      .reduce((sum, [name]) => sum + requestsOfOrder[name as keyof typeof paths], 0);
  const toFunction = ({ TargetOriginId }: Properties) => {
    const { DomainName } = Origins.find(({ Id }: Properties) => Id === TargetOriginId);
    const [, id = ''] = JSON.stringify(DomainName).match(/"Fn::GetAtt":\["(\w+)"/) ?? [];
    return template.Resources[id]?.Type === 'AWS::Lambda::Url';
  };
  return {
    gatewayRequests: requestsWith((behavior) => !toFunction(behavior)),
    edgeFunctions: requestsWith(({ FunctionAssociations }) => FunctionAssociations !== undefined),
  };
}

/** Images have a distribution of their own. */
const distributionWithApi = (template: Template): Properties =>
  resourcesOf(template, 'AWS::CloudFront::Distribution')
    .map(([, { Properties }]) => Properties.DistributionConfig)
    .find(({ Origins }) => JSON.stringify(Origins).includes('execute-api'));

/** CloudFront takes the first behaviour whose pattern matches. */
function behaviorFor(path: string, { CacheBehaviors = [], DefaultCacheBehavior }: Properties): Properties {
  const matches = (pattern: string) =>
    new RegExp(
      `^/?${pattern
        .replace(/^\//, '')
        .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
        .replaceAll('*', '.*')
        .replaceAll('?', '.')}$`,
    ).test(path);
  return CacheBehaviors.find(({ PathPattern }: Properties) => matches(PathPattern)) ?? DefaultCacheBehavior;
}
