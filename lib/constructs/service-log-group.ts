import { RemovalPolicy } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { LogRetentionDays } from '../stage.ts';

const retention = 'log-retention-days';
const defaultDays: LogRetentionDays = 30;

/** Applies to all log groups that are created in the scope after this. */
export function keepLogs(scope: Construct, days: LogRetentionDays = defaultDays): void {
  scope.node.setContext(retention, days);
}

/** The base of every log group: it expires as the stage says, and goes with the stack. */
export class ServiceLogGroup extends LogGroup {
  constructor(scope: Construct, id: string) {
    const days: LogRetentionDays = scope.node.tryGetContext(retention) ?? defaultDays;
    super(scope, id, { retention: days, removalPolicy: RemovalPolicy.DESTROY });
  }
}
