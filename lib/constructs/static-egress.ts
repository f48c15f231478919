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
import { Construct } from 'constructs';
import { ServiceLogGroup } from './service-log-group.ts';

/** One fixed source address for deliveries, for merchants whose firewall allows only listed senders. */
export class StaticEgress extends Construct {
  /** The VPC for functions whose requests must come from this address. */
  readonly vpc: IVpc;
  readonly vpcSubnets: SubnetSelection = { subnetType: SubnetType.PRIVATE_WITH_EGRESS };
  readonly address: string;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const elasticIp = new CfnEIP(this, 'Address', { domain: 'vpc' });
    // Merchants have this address in their firewalls, so it must never change.
    elasticIp.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
    this.address = elasticIp.attrPublicIp;
    this.vpc = new Vpc(this, 'Vpc', {
      maxAzs: 2,
      // One gateway has one address. If its zone fails, deliveries wait in the queue and are retried.
      natGateways: 1,
      natGatewayProvider: NatProvider.gateway({ eipAllocationIds: [elasticIp.attrAllocationId] }),
      subnetConfiguration: [
        { name: 'Gateway', subnetType: SubnetType.PUBLIC, cidrMask: 28, mapPublicIpOnLaunch: false },
        { name: 'Functions', subnetType: SubnetType.PRIVATE_WITH_EGRESS, cidrMask: 20 },
      ],
      // Nothing uses the default security group, and restricting it would need a function with rights on every security
      // group.
      restrictDefaultSecurityGroup: false,
      // Traffic to these services does not go through the NAT gateway, which bills it.
      gatewayEndpoints: {
        DynamoDb: { service: GatewayVpcEndpointAwsService.DYNAMODB },
        S3: { service: GatewayVpcEndpointAwsService.S3 },
      },
      // The class and its interface have different types for absent values.
    }) as IVpc;
    this.logRefusedTraffic();
  }

  /** Accepted traffic is in the attempt log of each delivery. Refused packets are logged nowhere else. */
  private logRefusedTraffic(): void {
    this.vpc.addFlowLog('Refused', {
      destination: FlowLogDestination.toCloudWatchLogs(new ServiceLogGroup(this, 'FlowLog')),
      trafficType: FlowLogTrafficType.REJECT,
    });
  }
}
