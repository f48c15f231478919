import { join } from 'node:path';
import { Duration, Stack } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { EventBus, Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { ConfigurationSet, EmailIdentity, EmailSendingEvent, EventDestination, Identity } from 'aws-cdk-lib/aws-ses';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { PipelineName } from '#schemas/catalogues/pipeline.ts';
import { type EmailSender, usualMailsPerSecond } from '../stage.ts';
import { RetriedQueue } from './retried-queue.ts';
import { ServiceFunction } from './service-function.ts';
import { ServiceQueue } from './service-queue.ts';
import type { TableGrant } from './table-grant.ts';

export interface EmailsProps {
  readonly bundles: string;
  readonly table: TableV2;
  readonly credentials: IKey;
  readonly sender: EmailSender;
}

const emailEvents = 'email-events' satisfies PipelineName;

const grants: readonly TableGrant[] = [
  // The data key of the hashes of addresses, the shop, what is suppressed already, and the delivery of the mail.
  { actions: ['BatchGetItem'], partitions: ['dataKeys', 'shop', 'suppressions', 'deliveries'] },
  { actions: ['PutItem', 'DeleteItem'], partitions: ['suppressions'] },
  { actions: ['UpdateItem'], partitions: ['deliveries'] },
];

const timeout = Duration.seconds(30);

/** E-mails to customers: the sender that SES knows, and what SES tells about mails that it has taken. */
export class Emails extends Construct {
  readonly queue: Queue;
  readonly failures: Queue;
  readonly record: ServiceFunction;
  readonly bounceRate: Metric;
  readonly complaintRate: Metric;
  /** What the DNS of the domain must have, so that SES knows it. Undefined if SES has an identity already. */
  readonly dnsRecords: readonly { name: string; value: string }[] | undefined;
  private readonly sender: EmailSender;
  private readonly configurationSet: ConfigurationSet;

  constructor(scope: Construct, id: string, props: EmailsProps) {
    super(scope, id);
    this.sender = props.sender;
    this.configurationSet = new ConfigurationSet(this, 'Mails', {
      reputationMetrics: true,
      // SES has one list for the whole account. Ours is one for each shop, and a merchant can take an address off it.
      disableSuppressionList: true,
    });
    this.dnsRecords = props.sender.hasIdentity ? undefined : this.createIdentity();
    this.failures = new ServiceQueue(this, 'Failures');
    const queue = new RetriedQueue(this, 'Events', this.failures);
    this.queue = queue;
    this.publishTo(queue);
    this.record = this.createRecord(queue, props);
    this.bounceRate = this.rate('BounceRate', 'Bounces');
    this.complaintRate = this.rate('ComplaintRate', 'Complaints');
  }

  private createIdentity() {
    const identity = new EmailIdentity(this, 'Identity', { identity: Identity.domain(domainOf(this.sender)) });
    return identity.dkimRecords;
  }

  /** The function knows that mails can be sent. */
  tell({ lambda }: ServiceFunction): void {
    lambda.addEnvironment('EMAIL_FROM', this.sender.from);
  }

  letSend(sender: ServiceFunction): void {
    this.tell(sender);
    const { maxPerSecond = usualMailsPerSecond } = this.sender;
    sender.lambda.addEnvironment('EMAIL_MAX_PER_SECOND', String(maxPerSecond));
    sender.lambda.addEnvironment('EMAIL_CONFIGURATION_SET', this.configurationSet.configurationSetName);
    sender.lambda.addToRolePolicy(
      new PolicyStatement({
        actions: ['ses:SendEmail'],
        // SES prefers an identity of the address to one of its domain.
        resources: [
          this.arnOf('identity', domainOf(this.sender)),
          this.arnOf('identity', this.sender.from),
          this.arnOf('configuration-set', this.configurationSet.configurationSetName),
        ],
        conditions: { StringEquals: { 'ses:FromAddress': this.sender.from } },
      }),
    );
  }

  /** SES publishes to the default bus of the account, on which the events of other stages are too. */
  private publishTo(queue: Queue): void {
    const bus = EventBus.fromEventBusName(this, 'DefaultBus', 'default');
    this.configurationSet.addEventDestination('ToQueue', {
      destination: EventDestination.eventBus(bus),
      events: [
        EmailSendingEvent.BOUNCE,
        EmailSendingEvent.COMPLAINT,
        EmailSendingEvent.DELIVERY_DELAY,
        EmailSendingEvent.REJECT,
      ],
    });
    new Rule(this, 'OfMails', {
      eventPattern: {
        source: ['aws.ses'],
        // https://docs.aws.amazon.com/ses/latest/dg/monitoring-eventbridge.html
        detailType: ['Email Bounced', 'Email Complaint Received', 'Email Delivery Delayed', 'Email Rejected'],
        detail: { mail: { tags: { 'ses:configuration-set': [this.configurationSet.configurationSetName] } } },
      },
      targets: [new SqsQueue(queue)],
    });
  }

  private createRecord(queue: RetriedQueue, { bundles, table, credentials }: EmailsProps): ServiceFunction {
    const record = new ServiceFunction(this, 'Record', {
      serviceName: emailEvents,
      bundle: join(bundles, emailEvents),
      timeout,
    });
    record.useTable(table, grants);
    record.decryptWith(credentials, { place: 'email' });
    const variables = { queue: 'EMAIL_EVENTS_QUEUE_URL', failures: 'EMAIL_EVENTS_FAILURES_QUEUE_URL' };
    record.readRetriedQueue(queue, variables, { batchSize: 10, maxConcurrency: 2 });
    return record;
  }

  /** A share of the mails, from 0 to 1: https://docs.aws.amazon.com/ses/latest/dg/reputationdashboard-cloudwatch-alarm.html. */
  private rate(name: 'BounceRate' | 'ComplaintRate', label: string): Metric {
    return new Metric({
      namespace: 'AWS/SES',
      metricName: `Reputation.${name}`,
      dimensionsMap: { 'ses:configuration-set': this.configurationSet.configurationSetName },
      statistic: Stats.MAXIMUM,
      period: Duration.hours(1),
      label,
    });
  }

  private arnOf(resource: string, resourceName: string): string {
    return Stack.of(this).formatArn({ service: 'ses', resource, resourceName });
  }
}

const domainOf = ({ from }: EmailSender): string => from.slice(from.indexOf('@') + 1);
