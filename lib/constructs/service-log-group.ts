import { RemovalPolicy } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { LogLevel, LogRetentionDays } from '../stage.ts';

const retention = 'log-retention-days';
const level = 'log-level';
const defaultDays: LogRetentionDays = 30;
const defaultLevel: LogLevel = 'INFO';

export interface Logs {
  readonly days?: LogRetentionDays | undefined;
  readonly level?: LogLevel | undefined;
}

/** Applies to all log groups and functions that are created in the scope after this. */
export function keepLogs(scope: Construct, logs: Logs): void {
  scope.node.setContext(retention, logs.days ?? defaultDays);
  scope.node.setContext(level, logs.level ?? defaultLevel);
}

/** The lowest level of what functions in the scope log. */
export const logLevelOf = (scope: Construct): LogLevel => scope.node.tryGetContext(level) ?? defaultLevel;

/** The base of every log group: it expires as the stage says, and goes with the stack. */
export class ServiceLogGroup extends LogGroup {
  constructor(scope: Construct, id: string) {
    const days: LogRetentionDays = scope.node.tryGetContext(retention) ?? defaultDays;
    super(scope, id, { retention: days, removalPolicy: RemovalPolicy.DESTROY });
  }
}
