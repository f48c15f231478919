import { RemovalPolicy } from 'aws-cdk-lib';
import {
  CfnEIP,
  FlowLogDestination,
  FlowLogTrafficType,
  GatewayVpcEndpointAwsService,
  type IVpc,
  NatProvider,
  type SubnetSelection,
  SubnetType,
  Vpc,
} from 'aws-cdk-lib/aws-ec2';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';

/** One fixed address that deliveries come from, for merchants whose firewall lists the senders it lets in. */
export class StaticEgress extends Construct {
  /** Where a function is placed whose requests shall come from the address. */
  readonly vpc: IVpc;
  readonly vpcSubnets: SubnetSelection = { subnetType: SubnetType.PRIVATE_WITH_EGRESS };
  readonly address: string;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const elasticIp = new CfnEIP(this, 'Address', { domain: 'vpc' });
    // Merchants have the address in their firewalls: another one would cut them off.
    elasticIp.applyRemovalPolicy(RemovalPolicy.RETAIN);
    this.address = elasticIp.attrPublicIp;
    this.vpc = new Vpc(this, 'Vpc', {
      maxAzs: 2,
      // One gateway is one address. Should its zone fail, deliveries wait in the queue and are tried again.
      natGateways: 1,
      natGatewayProvider: NatProvider.gateway({ eipAllocationIds: [elasticIp.attrAllocationId] }),
      subnetConfiguration: [
        { name: 'Gateway', subnetType: SubnetType.PUBLIC, cidrMask: 28, mapPublicIpOnLaunch: false },
        { name: 'Functions', subnetType: SubnetType.PRIVATE_WITH_EGRESS, cidrMask: 20 },
      ],
      // Nothing uses the default group; emptying it would take a function with rights over every security group.
      restrictDefaultSecurityGroup: false,
      // Their traffic does not pass, and is not billed by, the NAT gateway.
      gatewayEndpoints: {
        DynamoDb: { service: GatewayVpcEndpointAwsService.DYNAMODB },
        S3: { service: GatewayVpcEndpointAwsService.S3 },
      },
      // The class and its interface differ in how they write an absent value.
    }) as IVpc;
    this.logRefusedTraffic();
  }

  /** What is let through stands in the attempt log of each delivery; a refused packet would stand nowhere else. */
  private logRefusedTraffic(): void {
    const logGroup = new LogGroup(this, 'FlowLog', {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.vpc.addFlowLog('Refused', {
      destination: FlowLogDestination.toCloudWatchLogs(logGroup),
      trafficType: FlowLogTrafficType.REJECT,
    });
  }
}
