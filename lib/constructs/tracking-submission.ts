import { join } from 'node:path';
import { Duration } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { PipelineName } from '#schemas/catalogues/pipeline.ts';
import { RetriedQueue } from './retried-queue.ts';
import { ServiceFunction } from './service-function.ts';
import { ServiceQueue } from './service-queue.ts';
import type { TableGrant } from './table-grant.ts';

export interface TrackingSubmissionProps {
  readonly bundles: string;
  readonly table: TableV2;
  readonly credentials: IKey;
}

const registration = 'tracking-registration' satisfies PipelineName;

const registrationGrants: readonly TableGrant[] = [
  { actions: ['Query'], partitions: ['trackingProviders'] },
  // Reads the settings of the shop, and the order with its shipment. Writes what came of the registration.
  { actions: ['BatchGetItem'], partitions: ['shop', 'order'] },
  { actions: ['PutItem'], partitions: ['order', 'parcelRegistrations'] },
  // Finds the parcels that are under way when a shop switches updates on.
  { query: 'shipmentsByUpdate' },
];

const registrationTimeout = Duration.seconds(30);

/**
 * Parcels that got a tracking number, from the queues that fan-out puts them on to the tracking providers. A parcel that
 * no provider takes goes to a queue that a connector of the operator reads.
 */
export class TrackingSubmission extends Construct {
  readonly queue: Queue;
  /** Requests that the operator's connector could not handle. */
  readonly deadLetters: Queue;
  /** Parcels to register with a provider. */
  readonly registrations: RetriedQueue;
  /** Parcels that no provider took within a day, and messages that the function could not handle. */
  readonly givenUp: Queue;
  readonly register: ServiceFunction;

  constructor(scope: Construct, id: string, props: TrackingSubmissionProps) {
    super(scope, id);
    this.givenUp = new ServiceQueue(this, 'GivenUp');
    // A provider's failure is no failed receive, because the function then sends the parcel again with a delay.
    this.registrations = new RetriedQueue(this, 'Registrations', this.givenUp);
    this.deadLetters = new ServiceQueue(this, 'DeadLetters');
    // An outage of the connector is none of its messages' fault either.
    this.queue = new RetriedQueue(this, 'Queue', this.deadLetters);
    this.register = this.createRegistration(props);
  }

  private createRegistration({ bundles, table, credentials }: TrackingSubmissionProps): ServiceFunction {
    const register = new ServiceFunction(this, 'Register', {
      serviceName: registration,
      bundle: join(bundles, registration),
      timeout: registrationTimeout,
    });
    register.useTable(table, registrationGrants);
    register.decryptWith(credentials, { place: 'tracking_provider', value: 'api_key' });
    // A parcel is tried for a day, and a backlog ends with the list of the shop's parcels.
    register.sendBackTo(this.registrations, 'REGISTRATION_QUEUE_URL');
    register.sendTo(this.queue, 'TRACKING_REQUESTS_QUEUE_URL');
    // Few at a time, because providers take about ten requests a second.
    const variables = { queue: 'REGISTRATION_QUEUE_URL', failures: 'REGISTRATION_GIVEN_UP_QUEUE_URL' };
    register.readRetriedQueue(this.registrations, variables, { batchSize: 10, maxConcurrency: 2 });
    return register;
  }
}
