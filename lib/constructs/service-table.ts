import { RemovalPolicy } from 'aws-cdk-lib';
import {
  AttributeType,
  Billing,
  type CfnGlobalTable,
  ContributorInsightsMode,
  type GlobalSecondaryIndexPropsV2,
  ProjectionType,
  StreamViewType,
  TableEncryptionV2,
  TableV2,
  type WarmThroughput,
} from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { attributes, type IndexName, indexes } from '#schemas/catalogues/table.ts';

/**
 * Keys that DynamoDB throttles get names in CloudWatch. Each of two rules for the table and for an index costs half a dollar in a month,
 * and what is not throttled costs nothing: https://aws.amazon.com/cloudwatch/pricing/
 */
const throttledKeys = { Enabled: true, Mode: ContributorInsightsMode.THROTTLED_KEYS };

/**
 * Those that orders and parcels write most. The keys of most others are words of people, which no erasure would reach in CloudWatch;
 * `attention` and `lists` are written less, and would cost a dollar a month each.
 */
const namedIndexes: readonly IndexName[] = ['timeline', 'activity'];

/**
 * The only table. TableV2 although there is one region: a global table can get a second region later without being
 * replaced.
 */
export class ServiceTable extends Construct {
  readonly table: TableV2;

  /** @param warmThroughput of the table. Its indexes begin as every new one does: see capacity.md. */
  constructor(scope: Construct, id: string, warmThroughput?: WarmThroughput) {
    super(scope, id);
    this.table = new TableV2(this, 'Table', {
      partitionKey: { name: attributes.partition, type: AttributeType.STRING },
      sortKey: { name: attributes.sort, type: AttributeType.STRING },
      timeToLiveAttribute: attributes.expiry,
      billing: Billing.onDemand(),
      ...(warmThroughput && { warmThroughput }),
      // A key of KMS would cost a request for every function that starts to use the table, and one that AWS manages
      // cannot even be taken away from anybody. Merchants' secrets are encrypted with our own key before they are
      // written: see credentials-key.ts.
      encryption: TableEncryptionV2.dynamoOwnedKey(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
      contributorInsightsSpecification: { enabled: true, mode: ContributorInsightsMode.THROTTLED_KEYS },
      dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES,
      globalSecondaryIndexes: (Object.keys(indexes) as IndexName[]).map(secondaryIndex),
    });
    // The construct would name the keys of every index.
    (this.table.node.defaultChild as CfnGlobalTable).addPropertyOverride(
      'Replicas.0.GlobalSecondaryIndexes',
      namedIndexes.map((name) => ({ IndexName: name, ContributorInsightsSpecification: throttledKeys })),
    );
  }
}

function secondaryIndex(indexName: IndexName): GlobalSecondaryIndexPropsV2 {
  const { partition, sort, projection } = indexes[indexName];
  return {
    indexName,
    partitionKey: { name: partition, type: AttributeType.STRING },
    sortKey: { name: sort, type: AttributeType.STRING },
    ...projectionOf(projection),
  };
}

function projectionOf(projection: 'all' | readonly string[]) {
  if (projection === 'all') return { projectionType: ProjectionType.ALL };
  return { projectionType: ProjectionType.INCLUDE, nonKeyAttributes: [...projection] };
}
