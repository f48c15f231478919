import { Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { Alarm, ComparisonOperator, Metric, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { CfnHealthCheck } from 'aws-cdk-lib/aws-route53';
import type { Construct } from 'constructs';
import { meta } from '#schemas/families/meta.ts';
import { AlarmTopic } from './constructs/alarm-topic.ts';

export interface ProbeStackProps extends StackProps {
  /** The host of the service's public address. */
  readonly host: string;
  /** Of the domain, if the service has one. */
  readonly certificateArn?: string | undefined;
  readonly email?: string | undefined;
}

/**
 * The only region with the metrics of health checks, and an alarm sees only those of its own:
 * https://docs.aws.amazon.com/Route53/latest/DeveloperGuide/monitoring-health-checks.html
 */
const regionOfHealthChecks = 'us-east-1';

/** AWS renews a certificate earlier than that. */
const fewestDays = 30;

/** From where it is asked: three at least. Each has several that ask every 30 seconds, and every request is billed. */
const regionsThatAsk = ['us-east-1', 'eu-west-1', 'ap-southeast-1'];

/**
 * Asks from outside whether the service answers, through DNS, CloudFront, API Gateway and a function. It is a stack of its own,
 * because it lies in its own region: it also rings if that of the service is gone.
 */
export class ProbeStack extends Stack {
  constructor(scope: Construct, id: string, { host, certificateArn, email, ...props }: ProbeStackProps) {
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
    const alarms = certificateArn === undefined ? [alarm] : [alarm, this.watchCertificate(certificateArn)];
    const action = new SnsAction(new AlarmTopic(this, 'Topic', email));
    for (const one of alarms) {
      one.addAlarmAction(action);
      one.addOkAction(action);
    }
  }

  /** Health checks do not look at the certificate: https://docs.aws.amazon.com/Route53/latest/DeveloperGuide/dns-failover-determining-health-of-endpoints.html */
  private watchCertificate(arn: string): Alarm {
    return new Alarm(this, 'CertificateExpires', {
      metric: Certificate.fromCertificateArn(this, 'Certificate', arn).metricDaysToExpiry(),
      threshold: fewestDays,
      comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
      evaluationPeriods: 1,
      // AWS tells it once or twice a day, and no more when the certificate has expired. By then the alarm rings.
      treatMissingData: TreatMissingData.IGNORE,
      alarmDescription: `The certificate of the domain ends within ${fewestDays} days and was not renewed. Runbook: lib/runbooks/CertificateExpires.md`,
    });
  }
}
