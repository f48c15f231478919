import { join } from 'node:path';
import { Duration } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { notifiedIntegrations } from '#schemas/catalogues/integrations.ts';
import { deliveryLimits } from '#schemas/catalogues/limits.ts';
import type { PipelineName } from '#schemas/catalogues/pipeline.ts';
import { type DeliveryQueue, deadLettersTimeout, deliveryTimeout } from './delivery-queue.ts';
import { type EncryptedFor, type Network, ServiceFunction, type ServiceFunctionProps } from './service-function.ts';
import type { TableGrant } from './table-grant.ts';

export interface DeliveriesProps {
  readonly bundles: string;
  readonly table: TableV2;
  readonly credentials: IKey;
  readonly queue: DeliveryQueue;
  readonly payloads: Bucket;
  /** The network with a fixed source address, if the option is on. */
  readonly network?: Network | undefined;
  /** The address of the service, to which e-mails lead. */
  readonly publicUrl: string;
  /** Whether it sends e-mails to customers. */
  readonly mails: boolean;
  /** JSON: where the events of each integration go. */
  readonly integrationTargets?: string | undefined;
}

/** The prefix of delivery bodies in the bucket. */
export const payloadPrefix = 'payloads/';

const deliveryGrants: readonly TableGrant[] = [
  // Reads the delivery with its body, the circuit of its target, and the endpoint, the integration's key or the
  // automation.
  { actions: ['BatchGetItem'], partitions: ['deliveries', 'payloads', 'shop', 'automations'] },
  // Writes the delivery with its first attempt, adds the others, and moves the pace of its target on. A circuit is written
  // as a whole.
  { actions: ['UpdateItem'], partitions: ['deliveries'] },
  // Nothing is written of a simulation that is removed.
  { actions: ['PutItem'], partitions: ['deliveries'], beside: ['simulations'] },
  { actions: ['ConditionCheckItem'], partitions: ['simulations'], beside: ['deliveries'] },
  // Keeps deliveries whose next attempt is far away.
  { actions: ['PutItem'], partitions: ['retries'] },
];

/**
 * It signs with the secrets of webhooks and automations, and sends the keys of the integrations that get events: not those of
 * shop systems and tracking providers.
 */
const sentSecrets: readonly EncryptedFor[] = [
  { place: 'webhook' },
  { place: 'automation' },
  { place: 'integration', value: notifiedIntegrations },
];

/** An e-mail is decided and made when it is its turn, from what the customer's page shows then. */
const emailGrants: readonly TableGrant[] = [
  // A message of the shop lies with its claim.
  { actions: ['Query'], partitions: ['order', 'claims', 'trackingPages', 'storefronts'] },
  // What was mailed about the order, who gets no e-mails, what was withdrawn, and the clock of a simulation. A storefront is
  // made from records.
  {
    actions: ['BatchGetItem'],
    partitions: ['withdrawals', 'claimReference', 'mails', 'suppressions', 'simulations', 'storefronts'],
  },
  { actions: ['Query'], partitions: ['deals', 'announcements', 'campaigns', 'abTests'] },
  { actions: ['BatchGetItem'], partitions: ['discounts', 'campaigns', 'abTests'] },
  { actions: ['PutItem'], partitions: ['mails', 'storefronts'], beside: ['simulations'] },
  { actions: ['ConditionCheckItem'], partitions: ['simulations'], beside: ['mails'] },
  // The key of the hashes of addresses and of links.
  { actions: ['BatchGetItem', 'PutItem'], partitions: ['dataKeys'] },
];

const deadLetterGrants: readonly TableGrant[] = [
  // Ends the delivery, or writes it if no worker did.
  { actions: ['UpdateItem'], partitions: ['deliveries'] },
  { actions: ['PutItem'], partitions: ['deliveries'], beside: ['simulations'] },
  { actions: ['ConditionCheckItem'], partitions: ['simulations'], beside: ['deliveries'] },
  // Whether the order was erased that the letter tells of.
  { actions: ['BatchGetItem'], partitions: ['payloads'] },
];

const drainGrants: readonly TableGrant[] = [
  { query: 'openCircuits' },
  { query: 'parkedDeliveries' },
  { query: 'retries' },
  { actions: ['BatchWriteItem'], partitions: ['retries'] },
  // Writes circuits only. The function that sends a parked delivery changes it.
  { actions: ['PutItem'], partitions: ['deliveries'] },
];

/**
 * The functions that use the queue of deliveries: one sends, one records dead letters, one sends what waits in the table.
 */
export class Deliveries extends Construct {
  readonly delivery: ServiceFunction;
  readonly deadLetters: ServiceFunction;
  readonly drain: ServiceFunction;

  constructor(scope: Construct, id: string, props: DeliveriesProps) {
    super(scope, id);
    this.delivery = this.createDelivery(props);
    this.deadLetters = this.createDeadLetters(props);
    this.drain = this.createDrain(props);
  }

  private createDelivery(props: DeliveriesProps): ServiceFunction {
    const delivery = this.create('Send', 'delivery', deliveryTimeout, props, {
      network: props.network,
      // It waits for the table and for the merchant's system: of 120 ms about ten are work.
      memory: 512,
    });
    delivery.useTable(props.table, deliveryGrants);
    if (props.mails) this.letMail(delivery, props);
    for (const place of sentSecrets) delivery.decryptWith(props.credentials, place);
    delivery.useBucket(props.payloads, 'PAYLOAD_BUCKET', ['GetObject'], payloadPrefix);
    delivery.delayMessagesOf(props.queue.queue, 'DELIVERY_QUEUE_URL');
    // A delivery that waits, for its next attempt or for its turn at a vendor, gets a new message. The chain ends
    // with its last attempt, after a day without a turn, or after 120 faults of ours.
    delivery.sendBackTo(props.queue.queue, 'DELIVERY_QUEUE_URL');
    if (props.integrationTargets) delivery.lambda.addEnvironment('INTEGRATION_TARGETS', props.integrationTargets);
    delivery.readQueue(props.queue.queue, {
      batchSize: 10,
      // A delivery is mostly waiting, and those of a batch wait together. Lambda gathers for itself in each of five pollers.
      maxBatchingWindow: Duration.seconds(deliveryLimits.gatheringSeconds),
      // Not reserved concurrency: a throttled batch would cost each of its deliveries a receive. High enough that an
      // endpoint that hangs with a thousand deliveries holds half of the invocations, not all.
      maxConcurrency: 200,
    });
    return delivery;
  }

  private letMail(delivery: ServiceFunction, { table, credentials, publicUrl }: DeliveriesProps): void {
    delivery.useTable(table, emailGrants);
    delivery.createDataKeysWith(credentials, { place: 'email' });
    delivery.decryptWith(credentials, { place: 'email' });
    delivery.publicUrl(publicUrl);
  }

  private createDeadLetters(props: DeliveriesProps): ServiceFunction {
    const deadLetters = this.create('DeadLetters', 'dead-letters', deadLettersTimeout, props);
    deadLetters.useTable(props.table, deadLetterGrants);
    deadLetters.readQueue(props.queue.deadLetters, { batchSize: 10, maxConcurrency: 2 });
    return deadLetters;
  }

  private createDrain(props: DeliveriesProps): ServiceFunction {
    const drain = this.create('Drain', 'drain', Duration.seconds(50), props);
    drain.useTable(props.table, drainGrants);
    drain.sendTo(props.queue.queue, 'DELIVERY_QUEUE_URL');
    drain.runEvery(Duration.minutes(1));
    return drain;
  }

  private create(
    id: string,
    name: PipelineName,
    timeout: Duration,
    { bundles }: DeliveriesProps,
    more: Pick<ServiceFunctionProps, 'memory' | 'network'> = {},
  ): ServiceFunction {
    return new ServiceFunction(this, id, { serviceName: name, bundle: join(bundles, name), timeout, ...more });
  }
}
