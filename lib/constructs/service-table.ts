import { RemovalPolicy } from 'aws-cdk-lib';
import {
  AttributeType,
  Billing,
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
 * The only table. TableV2 although there is one region: a global table can get a second region later without being
 * replaced.
 */
export class ServiceTable extends Construct {
  readonly table: TableV2;

  /** @param warmThroughput of the table. What its indexes take at first suffices for them. */
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
      dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES,
      globalSecondaryIndexes: (Object.keys(indexes) as IndexName[]).map(secondaryIndex),
    });
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
