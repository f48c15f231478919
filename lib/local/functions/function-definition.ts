import type { Statement } from '../iam/evaluate.ts';
import { statementsOfRole } from '../iam/policies.ts';
import { region } from '../template/physical-names.ts';
import type { StackResource, StackTemplate } from '../template/template.ts';

export interface FunctionDefinition {
  logicalId: string;
  name: string;
  arn: string;
  region: string;
  /** The session of the role, as AWS names the caller in AccessDenied errors. */
  principalArn: string;
  folder: string;
  handler: string;
  environment: Record<string, string>;
  memorySize: number;
  timeoutSeconds: number;
  maximumConcurrency: number;
  logGroup: string;
  statements: Statement[];
}

interface FunctionProperties {
  Code?: { S3Key?: string };
  Runtime?: string;
  Handler?: string;
  Role: string;
  Environment?: { Variables?: Record<string, unknown> };
  MemorySize?: number;
  Timeout?: number;
  ReservedConcurrentExecutions?: number;
  LoggingConfig?: { LogGroup?: string };
}

const defaultConcurrency = 8;

/** The functions of the template. The CDK's own helpers for deployment (with inline code, or in Python) do not run here. */
export function readFunctions(stack: StackTemplate, added: Record<string, string>): FunctionDefinition[] {
  return stack
    .resources('AWS::Lambda::Function')
    .filter(({ properties }) => isOurs(properties as Partial<FunctionProperties>))
    .map((resource) => toDefinition(stack, resource, added));
}

const isOurs = ({ Code, Runtime = 'nodejs' }: Partial<FunctionProperties>) =>
  Code?.S3Key !== undefined && Runtime.startsWith('nodejs');

function toDefinition(
  stack: StackTemplate,
  resource: StackResource,
  added: Record<string, string>,
): FunctionDefinition {
  const properties = resource.properties as unknown as FunctionProperties;
  const variables = Object.entries(properties.Environment?.Variables ?? {});
  return {
    logicalId: resource.logicalId,
    name: resource.ref,
    arn: resource.arn,
    region,
    principalArn: `${properties.Role.replace(':iam:', ':sts:').replace(':role/', ':assumed-role/')}/${resource.ref}`,
    folder: stack.assetFolder(String(properties.Code?.S3Key)),
    handler: properties.Handler ?? 'index.handler',
    environment: {
      ...Object.fromEntries(variables.map(([name, value]) => [name, onLoopback(String(value))])),
      ...added,
    },
    memorySize: properties.MemorySize ?? 128,
    timeoutSeconds: properties.Timeout ?? 3,
    maximumConcurrency: properties.ReservedConcurrentExecutions ?? defaultConcurrency,
    logGroup: properties.LoggingConfig?.LogGroup ?? `/aws/lambda/${resource.ref}`,
    statements: statementsOfRole(stack, properties.Role),
  };
}

/** Loopback addresses have no TLS certificate. */
const onLoopback = (value: string) => value.replaceAll('https://127.0.0.1:', 'http://127.0.0.1:');
