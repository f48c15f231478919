import { join } from 'node:path';
import { Duration } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { disclosurePrefix } from '#schemas/catalogues/disclosures.ts';
import { imagePlaces } from '#schemas/catalogues/image-places.ts';
import { ledgerPrefix } from '#schemas/catalogues/ledger.ts';
import type { PipelineName } from '#schemas/catalogues/pipeline.ts';
import { type PartitionName, recordKindNames } from '#schemas/catalogues/table.ts';
import { payloadPrefix } from './deliveries.ts';
import { ServiceFunction } from './service-function.ts';
import type { TableGrant } from './table-grant.ts';

export interface PrivacyProps {
  readonly bundles: string;
  readonly table: TableV2;
  readonly payloads: Bucket;
  readonly images: Bucket;
  readonly publicUrl: string;
  readonly ledger: Bucket;
  readonly credentials: IKey;
}

const privacyWork = 'privacy-work' satisfies PipelineName;

/** Where a shop has items. */
const removed: readonly PartitionName[] = [
  ...recordKindNames,
  ...(['shop', 'dataKeys', 'keys', 'keyUses', 'keyRates', 'sessions', 'pages'] as const),
  ...(['order', 'orderReference', 'tracking', 'claims', 'claimReference', 'outbox', 'due', 'trackingPages'] as const),
  ...(['mails', 'suppressions', 'shopWebhooks', 'feed'] as const),
  'withdrawals',
  ...(['deliveries', 'retries', 'payloads', 'automationRuns', 'parcelRegistrations', 'simulations'] as const),
  ...(['storefronts', 'promotionCounts', 'statistics', 'arrivals', 'positions'] as const),
];

/** Their keys are known from other items. */
const namedByOthers: readonly PartitionName[] = ['orderReference', 'claimReference', 'payloads', 'arrivals'];

/** Each leaves a trace before it goes. */
const removedOneByOne: readonly PartitionName[] = ['keys'];

/** One grant for each action where it can be: a role has 10,240 characters for all its policies, and this one needs the most. */
const grants: readonly TableGrant[] = [
  { query: 'privacyWork' },
  // The list of work, what is asked, and the orders that were found.
  { actions: ['Query', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'], partitions: ['privacy'] },
  // Finds the orders of a person, and lists those of before by their customers.
  { query: 'ordersByEmail' },
  { query: 'ordersByCustomerId' },
  // Erases an order with all that is of it, and puts marks in the place of its payloads.
  { actions: ['ConditionCheckItem'], partitions: ['order'], beside: ['orderReference'] },
  {
    actions: ['PutItem'],
    partitions: ['order', 'orderReference', 'claims', 'outbox', 'payloads', 'withdrawals'],
    beside: ['trackingPages'],
  },
  { actions: ['UpdateItem'], partitions: ['claims', 'deliveries', 'automationRuns'] },
  // The page of the order closes in the transaction that erases the order.
  {
    actions: ['DeleteItem'],
    partitions: ['due', 'trackingPages', ...removedOneByOne],
    beside: ['order', 'orderReference'],
  },
  // Retention reads how old orders are, forgets images of claims, and finds who had deliveries. The removal of a shop removes
  // what lies under its keys.
  { query: 'orders' },
  { query: 'shipmentsByCreation' },
  { query: 'claimsByCreation' },
  { query: 'claimsByUpdate' },
  { query: 'goneTrackings' },
  { query: 'madeBySimulation' },
  {
    actions: ['BatchGetItem'],
    partitions: [
      ...(['shop', 'order', 'claims', 'payloads', 'withdrawals', 'feed'] as const),
      ...(['orderReference', 'deliveries', 'automationRuns', 'mails'] as const),
    ],
  },
  { actions: ['Query'], partitions: removed.filter((name) => !namedByOthers.includes(name)) },
  {
    actions: ['BatchWriteItem'],
    partitions: [...removed.filter((name) => !removedOneByOne.includes(name)), 'privacy'],
  },
];

/** What goes on in the background for the privacy of customers. Once a minute a function does what is due. */
export class Privacy extends Construct {
  readonly work: ServiceFunction;

  constructor(scope: Construct, id: string, props: PrivacyProps) {
    super(scope, id);
    const { bundles, table, payloads, images, publicUrl, ledger, credentials } = props;
    this.work = new ServiceFunction(this, 'Work', {
      serviceName: privacyWork,
      bundle: join(bundles, privacyWork),
      // Less than the interval, so a round ends before the next one begins.
      timeout: Duration.seconds(50),
    });
    this.work.useTable(table, grants);
    // Files of disclosures, which show images, and all versions of what goes.
    this.work.publicUrl(publicUrl);
    const removes = ['DeleteObject', 'DeleteObjectVersion'] as const;
    const makes = ['GetObject', 'PutObject', 'AbortMultipartUpload'] as const;
    this.work.useBucket(payloads, 'PAYLOAD_BUCKET', [...removes, ...makes], disclosurePrefix);
    this.work.useBucket(payloads, 'PAYLOAD_BUCKET', ['GetObject', 'DeleteObject'], payloadPrefix);
    this.work.useBucket(images, 'IMAGE_BUCKET', removes, ...Object.values(imagePlaces));
    this.work.useBucket(images, 'IMAGE_BUCKET', ['GetObject'], imagePlaces.private);
    for (const bucket of [payloads, images]) this.work.listVersionsOf(bucket);
    // What was erased, and the key of its hashes.
    this.work.useBucket(ledger, 'LEDGER_BUCKET', ['GetObject', 'PutObject'], ledgerPrefix);
    this.work.knowMissingIn(ledger);
    this.work.createDataKeysWith(credentials, { place: 'ledger' });
    this.work.decryptWith(credentials, { place: 'ledger' });
    this.work.runEvery(Duration.minutes(1));
  }
}
