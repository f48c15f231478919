import { loadStage, type Stage } from '#lib/stage.ts';
import { stackNameOf } from '#lib/synthesize.ts';
import { resourcesOf, synthesize, type Template } from '#test/infra/synthesis.ts';
import type { Assumptions } from './bill.ts';

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
  const alarmMetrics = alarmMetricsIn(synthesize(stage, stackNameOf(name)));
  return {
    shards: shardsOf(stage),
    assumptions: {
      logBytes: logBytesOf(stage),
      kmsRequests: 0.01,
      methodsWithMetrics: 0,
      alarmMetrics,
      privacyRounds: minutesOfMonth,
    },
  };
}

const minutesOfMonth = 30 * 24 * 60;

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

/** Of an invocation. From INFO on there is a line for each batch or request, and Lambda adds its own. */
const logBytesOf = ({ logLevel = 'INFO' }: Stage): number => (logLevel === 'INFO' ? 1500 : 300);
