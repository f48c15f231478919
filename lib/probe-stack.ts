import { Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, Metric, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { CfnHealthCheck } from 'aws-cdk-lib/aws-route53';
import type { Construct } from 'constructs';
import { meta } from '#schemas/families/meta.ts';
import { AlarmTopic } from './constructs/alarm-topic.ts';

export interface ProbeStackProps extends StackProps {
  /** The host of the service's public address. */
  readonly host: string;
  readonly email?: string | undefined;
}

/**
 * The only region with the metrics of health checks, and an alarm sees only those of its own:
 * https://docs.aws.amazon.com/Route53/latest/DeveloperGuide/monitoring-health-checks.html
 */
const regionOfHealthChecks = 'us-east-1';

/** From where it is asked: three at least. Each has several that ask every 30 seconds, and every request is billed. */
const regionsThatAsk = ['us-east-1', 'eu-west-1', 'ap-southeast-1'];

/**
 * Asks from outside whether the service answers, through DNS, CloudFront, API Gateway and a function. It is a stack of its own,
 * because it lies in its own region: it also rings if that of the service is gone.
 */
export class ProbeStack extends Stack {
  constructor(scope: Construct, id: string, { host, email, ...props }: ProbeStackProps) {
    super(scope, id, { ...props, env: { region: regionOfHealthChecks } });
    const check = new CfnHealthCheck(this, 'HealthCheck', {
      healthCheckConfig: {
        type: 'HTTPS',
        fullyQualifiedDomainName: host,
        port: 443,
        enableSni: true,
        resourcePath: meta.getHealth.path,
        requestInterval: 30,
        failureThreshold: 3,
        regions: regionsThatAsk,
      },
      healthCheckTags: [{ key: 'Name', value: this.stackName }],
    });
    const alarm = new Alarm(this, 'NoAnswer', {
      metric: new Metric({
        namespace: 'AWS/Route53',
        metricName: 'HealthCheckStatus',
        dimensionsMap: { HealthCheckId: check.attrHealthCheckId },
        statistic: Stats.MINIMUM,
        period: Duration.minutes(1),
      }),
      threshold: 1,
      comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
      evaluationPeriods: 3,
      datapointsToAlarm: 2,
      treatMissingData: TreatMissingData.BREACHING,
      alarmDescription: `https://${host}${meta.getHealth.path} does not answer, asked from outside. Runbook: lib/runbooks/NoAnswer.md`,
    });
    const action = new SnsAction(new AlarmTopic(this, 'Topic', email));
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
  }
}
