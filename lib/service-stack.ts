import { join } from 'node:path';
import {
  CfnOutput,
  DefaultStackSynthesizer,
  Duration,
  type IStackSynthesizer,
  Stack,
  type StackProps,
} from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { disclosurePrefix } from '#schemas/catalogues/disclosures.ts';
import { imagePlaces } from '#schemas/catalogues/image-places.ts';
import { gatewayDocument } from '#schemas/description/gateway.ts';
import { type FamilyName, familyNames } from '#schemas/families/index.ts';
import { anonymousPatterns, familiesWithUrl } from './anonymous-paths.ts';
import { assetPrefix } from './asset-prefix.ts';
import { consolePath } from './bundling/console.ts';
import { Alarms } from './constructs/alarms.ts';
import { Api } from './constructs/api.ts';
import { AutomationRuns } from './constructs/automation-runs.ts';
import { Budget } from './constructs/budget.ts';
import { CarrierUpdates } from './constructs/carrier-updates.ts';
import { Console } from './constructs/console.ts';
import { Counts } from './constructs/counts.ts';
import { CredentialsKey } from './constructs/credentials-key.ts';
import { Dashboard } from './constructs/dashboard.ts';
import { Deliveries, payloadPrefix } from './constructs/deliveries.ts';
import { DeliveryQueue } from './constructs/delivery-queue.ts';
import { Distribution, usualMark } from './constructs/distribution.ts';
import { Due } from './constructs/due.ts';
import { Emails } from './constructs/emails.ts';
import { ErasureLedger } from './constructs/erasure-ledger.ts';
import { FanOut } from './constructs/fan-out.ts';
import { ImageBucket } from './constructs/image-bucket.ts';
import { ImageDistribution } from './constructs/image-distribution.ts';
import { PayloadBucket } from './constructs/payload-bucket.ts';
import { Privacy } from './constructs/privacy.ts';
import { Segments } from './constructs/segments.ts';
import { ServiceFunction } from './constructs/service-function.ts';
import { keepLogs } from './constructs/service-log-group.ts';
import { serviceMetrics } from './constructs/service-metrics.ts';
import { ServiceTable } from './constructs/service-table.ts';
import { spreadShipments } from './constructs/spread-shipments.ts';
import { StaticEgress } from './constructs/static-egress.ts';
import type { StreamFailures } from './constructs/stream.ts';
import { TrackingSubmission } from './constructs/tracking-submission.ts';
import { WebAcl } from './constructs/web-acl.ts';
import { alarmsOutput, deploymentAlarms } from './deployment/deploy-arguments.ts';
import type { FailureQueue, Failures } from './failure-queues.ts';
import { familyGrants } from './family-grants.ts';
import { type Stage, usualConcurrency, usualKeyRate } from './stage.ts';

export interface ServiceStackProps extends StackProps {
  /** The folder with one bundle for each function. */
  readonly bundles: string;
  readonly stage: Stage;
}

/** API Gateway stops waiting after 29 s. A function that ends earlier can still report its error. */
const apiTimeout = Duration.seconds(28);

export class ServiceStack extends Stack {
  constructor(scope: Construct, id: string, props: ServiceStackProps) {
    // Blanks would be a third of the template, which may have a megabyte.
    const terminationProtection = props.stage.isProtected ?? false;
    const synthesizer = new DefaultStackSynthesizer({ bucketPrefix: assetPrefix }) as IStackSynthesizer;
    super(scope, id, { ...props, terminationProtection, synthesizer, suppressTemplateIndentation: true });
    const { domain, alarmEmail, staticEgress, logRetentionDays, logLevel, warmThroughput, email } = props.stage;
    const { concurrency = usualConcurrency, monthlyBudgetDollars } = props.stage;
    const integrationTargets = props.stage.integrationTargets && JSON.stringify(props.stage.integrationTargets);
    const ownUrl = domain && `https://${domain.name}`;
    keepLogs(this, { days: logRetentionDays, level: logLevel });
    if (props.stage.spreadsShipments) spreadShipments(this);

    const { table } = new ServiceTable(this, 'Table', warmThroughput);
    const { key } = new CredentialsKey(this, 'Credentials');
    const { bucket } = new ImageBucket(this, 'Images');
    const images = new ImageDistribution(this, 'ImageDistribution', { bucket });
    const { bucket: payloads } = new PayloadBucket(this, 'Payloads');
    const queue = new DeliveryQueue(this, 'Deliveries');
    const carrierUpdates = new CarrierUpdates(this, 'CarrierUpdates', { bundles: props.bundles, table });
    const egress = staticEgress ? new StaticEgress(this, 'StaticEgress') : undefined;

    const mails = { bundles: props.bundles, table, credentials: key };
    const emails = email && new Emails(this, 'Emails', { ...mails, sender: email });

    const marks = props.stage.distributionMarks ?? [usualMark];
    const functions = eachFamily((family) => {
      const grants = familyGrants[family];
      const api = new ServiceFunction(this, constructId(family), {
        serviceName: family,
        bundle: join(props.bundles, family),
        timeout: apiTimeout,
      });
      if (grants.table.length > 0) {
        api.useTable(table, grants.table);
        api.limitKeys(props.stage.keyRate ?? usualKeyRate);
      }
      api.knowDistribution(marks);
      if (grants.encryptsCredentials) api.encryptWith(key);
      if (grants.createsDataKeys) api.createDataKeysWith(key, grants.createsDataKeys);
      for (const place of grants.decryptsCredentials ?? []) api.decryptWith(key, place);
      if (grants.knowsItsAddress && ownUrl) api.publicUrl(ownUrl);
      if (grants.knowsIntegrationTargets && integrationTargets)
        api.lambda.addEnvironment('INTEGRATION_TARGETS', integrationTargets);
      if (grants.knowsEmailSender) emails?.tell(api);
      if (grants.sendsEmails) emails?.letSend(api);
      if (grants.sendsCarrierUpdates) api.sendTo(carrierUpdates.queue, 'CARRIER_UPDATES_QUEUE_URL');
      if (grants.readsPayloads) api.useBucket(payloads, 'PAYLOAD_BUCKET', ['GetObject'], payloadPrefix);
      if (grants.makesPayloads) api.useBucket(payloads, 'PAYLOAD_BUCKET', ['PutObject', 'DeleteObject'], payloadPrefix);
      if (grants.showsDisclosures) api.useBucket(payloads, 'PAYLOAD_BUCKET', ['GetObject'], disclosurePrefix);
      if (grants.removesPrivateImages) api.useBucket(bucket, 'IMAGE_BUCKET', ['DeleteObject'], imagePlaces.private);
      if (grants.storesImages) {
        const places = grants.storesImages.map((place) => imagePlaces[place]);
        api.useBucket(bucket, 'IMAGE_BUCKET', ['PutObject'], ...places);
      }
      if (grants.showsPrivateImages) api.useBucket(bucket, 'IMAGE_BUCKET', ['GetObject'], imagePlaces.private);
      if (grants.storesImages || grants.showsPrivateImages) api.lambda.addEnvironment('IMAGES_URL', images.url);
      return api;
    });

    const { restApi, accessLog } = new Api(this, 'Api', {
      functions: eachFamily((family) => functions[family].lambda),
      document: gatewayDocument,
      throttle: props.stage.throttle,
    });
    const { behaviors } = new Console(this, 'Console', { bundles: props.bundles });
    const { pagesConcurrency, providersConcurrency } = props.stage;
    if (pagesConcurrency) functions.pages.reserve(pagesConcurrency);
    if (providersConcurrency) functions['tracking-providers'].reserve(providersConcurrency);
    const urls = familiesWithUrl.map((family) => ({
      url: functions[family].addUrl(),
      pathPatterns: anonymousPatterns(family),
    }));
    const distribution = new Distribution(this, 'Distribution', {
      domain,
      restApi,
      behaviors,
      urls,
      mark: marks[0]!,
      webAcl: this.webAclOf(props.stage),
    });
    const { url } = distribution;

    const tracking = new TrackingSubmission(this, 'TrackingSubmission', {
      bundles: props.bundles,
      table,
      credentials: key,
    });

    const pipeline = { bundles: props.bundles, table, payloads, publicUrl: url, integrationTargets };
    const runs = new AutomationRuns(this, 'AutomationRuns', pipeline);
    const automationRuns = runs.queue;
    const segments = new Segments(this, 'Segments', { ...pipeline, credentials: key });
    const fanOut = new FanOut(this, 'Events', {
      ...pipeline,
      deliveries: queue.queue,
      automationRuns,
      segments: segments.queue,
      registrations: tracking.registrations,
      trackingRequests: tracking.queue,
    });
    const counts = new Counts(this, 'Counts', { bundles: props.bundles, table, payloads });
    // The ledger misses what the stream's filters did not let through, so nobody switches a feed on before they do.
    functions.feed.lambda.node.addDependency(counts.mapping);
    const deliveries = new Deliveries(this, 'Delivery', {
      ...pipeline,
      credentials: key,
      queue,
      network: egress,
      mails: email !== undefined,
    });

    emails?.tell(fanOut.fanOut);
    emails?.letSend(deliveries.delivery);

    const due = new Due(this, 'Due', { bundles: props.bundles, table, automationRuns });

    const { bucket: ledger } = new ErasureLedger(this, 'ErasureLedger');
    const privacy = new Privacy(this, 'Privacy', { ...pipeline, images: bucket, ledger, credentials: key });

    const pipelineParts = { queue, fanOut, deliveries, carrierUpdates, tracking, due, runs, segments, counts, privacy };
    const observed = { restApi, accessLog, functions, ...pipelineParts, emails, table };
    const metrics = serviceMetrics(observed);
    const alarms = new Alarms(this, 'Alarms', { metrics, email: alarmEmail, concurrency });
    if (alarmEmail && monthlyBudgetDollars)
      new Budget(this, 'Budget', { dollars: monthlyBudgetDollars, email: alarmEmail });
    new Dashboard(this, 'Dashboard', metrics);

    const watched = [
      { name: 'deliveries', queue: queue.queue, failures: queue.deadLetters },
      { name: 'events', queue: fanOut.failures.replays, failures: fanOut.failures.queue },
      { name: 'counts', queue: counts.failures.replays, failures: counts.failures.queue },
      { name: 'parts', queue: fanOut.parts, failures: fanOut.deadParts },
      { name: 'tracking-requests', queue: tracking.queue, failures: tracking.deadLetters },
      { name: 'registrations', queue: tracking.registrations, failures: tracking.givenUp },
      { name: 'carrier-updates', queue: carrierUpdates.queue, failures: carrierUpdates.failures },
      { name: 'runs', queue: runs.queue, failures: runs.givenUp },
      { name: 'segments', queue: segments.queue, failures: segments.deadLetters },
      ...(emails ? [{ name: 'email-events', queue: emails.queue, failures: emails.failures }] : []),
    ];
    for (const family of familyNames) {
      if (familyGrants[family].watchesQueues) functions[family].watchQueues(watched);
    }

    const failures: Failures = {
      queues: [
        replayable('events', fanOut.failures, fanOut.fanOut),
        replayable('counts', counts.failures, counts.count),
        { name: 'parts', from: fanOut.deadParts.queueUrl, to: fanOut.parts.queueUrl },
        { name: 'tracking-requests', from: tracking.deadLetters.queueUrl, to: tracking.queue.queueUrl },
        { name: 'registrations', from: tracking.givenUp.queueUrl, to: tracking.registrations.queueUrl },
        { name: 'carrier-updates', from: carrierUpdates.failures.queueUrl, to: carrierUpdates.queue.queueUrl },
        { name: 'runs', from: runs.givenUp.queueUrl, to: runs.queue.queueUrl },
        { name: 'segments', from: segments.deadLetters.queueUrl, to: segments.queue.queueUrl },
        ...(emails ? [{ name: 'email-events', from: emails.failures.queueUrl, to: emails.queue.queueUrl }] : []),
      ],
      bucket: payloads.bucketName,
      table: table.tableName,
    };
    this.output('ApiUrl', url);
    if (domain) this.output('DnsTarget', distribution.domainName);
    this.output('ConsoleUrl', `${url}/${consolePath}`);
    this.output('TableName', table.tableName);
    this.output('ImagesUrl', images.url);
    this.output('ImageBucketName', bucket.bucketName);
    this.output('ErasureLedgerBucketName', ledger.bucketName);
    this.output('DeliveryQueueUrl', queue.queue.queueUrl);
    this.output('CarrierUpdatesQueueUrl', carrierUpdates.queue.queueUrl);
    this.output('CarrierUpdatesFailuresQueueUrl', carrierUpdates.failures.queueUrl);
    this.output('TrackingRequestsQueueUrl', tracking.queue.queueUrl);
    this.output('TrackingRegistrationsQueueUrl', tracking.registrations.queueUrl);
    this.output('TrackingRegistrationsGivenUpQueueUrl', tracking.givenUp.queueUrl);
    this.output('CredentialsKeyId', key.keyId);
    this.output('Failures', this.toJsonString(failures));
    if (emails?.dnsRecords) this.output('EmailDnsRecords', this.toJsonString(emails.dnsRecords));
    if (egress) this.output('EgressAddress', egress.address);
    if (props.stage.isProtected) {
      const arns = Object.fromEntries(deploymentAlarms.map((name) => [name, alarms.arns[name]]));
      this.output(alarmsOutput, this.toJsonString(arns));
    }
  }

  private webAclOf({ webAcl }: Stage): string | undefined {
    return webAcl && 'requestsPerFiveMinutes' in webAcl ? new WebAcl(this, 'WebAcl', webAcl).arn : webAcl?.arn;
  }

  private output(name: string, value: string): void {
    new CfnOutput(this, name, { value });
  }
}

const replayable = (name: string, { queue, replays }: StreamFailures, { lambda }: ServiceFunction): FailureQueue => ({
  name,
  from: queue.queueUrl,
  to: replays.queueUrl,
  functionArn: lambda.functionArn,
});

function eachFamily<T>(make: (family: FamilyName) => T): Record<FamilyName, T> {
  return Object.fromEntries(familyNames.map((name) => [name, make(name)])) as Record<FamilyName, T>;
}

/**
 * These got a new function and role when they got a URL, and the pages lost the right to write settings: a deployment that is
 * taken back leaves the URL to code that knows it until the distribution leads elsewhere again (lib/decisions/releases.md).
 */
const renamed: Partial<Record<FamilyName, string>> = {
  pages: 'CustomerPagesApi',
  'tracking-providers': 'ProvidersApi',
};

/** `ab-tests` becomes `AbTestsApi`. */
function constructId(family: FamilyName): string {
  const words = family.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return renamed[family] ?? `${words.join('')}Api`;
}
