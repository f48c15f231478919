import type { StackResource, StackTemplate } from '../template/template.ts';
import type { Conditions } from './conditions.ts';
import type { Statement } from './evaluate.ts';

type Many<T> = T | T[];

export interface PolicyDocument {
  Statement?: Many<{
    Effect: 'Allow' | 'Deny';
    Principal?: unknown;
    Action?: Many<string>;
    NotAction?: Many<string>;
    Resource?: Many<string>;
    NotResource?: Many<string>;
    Condition?: Record<string, Record<string, Many<string | boolean | number>>>;
  }>;
}

interface RolePolicies {
  Policies?: { PolicyDocument: PolicyDocument }[];
  ManagedPolicyArns?: string[];
}

/**
 * The statements of a function's role. Resource policies (of queues, buckets, keys) are ignored: within one account an
 * identity policy is enough, and their usual "TLS only" rule would refuse every loopback request.
 */
export function statementsOfRole(stack: StackTemplate, roleArn: string): Statement[] {
  const role = stack.resources('AWS::IAM::Role').find(({ arn }) => arn === roleArn);
  if (!role) throw new Error(`The template does not contain the role ${roleArn}.`);
  const { Policies = [], ManagedPolicyArns = [] } = role.properties as RolePolicies;
  const attached = stack
    .resources('AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy')
    .filter((policy) => namesRole(policy, role.ref) || ManagedPolicyArns.includes(policy.ref));
  const documents = [
    ...Policies.map(({ PolicyDocument }) => PolicyDocument),
    ...attached.map(({ properties }) => properties.PolicyDocument as PolicyDocument),
  ];
  return documents.flatMap(readStatements);
}

function namesRole(policy: StackResource, roleName: string): boolean {
  return ((policy.properties.Roles as string[] | undefined) ?? []).includes(roleName);
}

export function readStatements(document: PolicyDocument): Statement[] {
  return many(document.Statement).map((statement) => ({
    effect: statement.Effect,
    actions: many(statement.Action),
    notActions: many(statement.NotAction),
    resources: many(statement.Resource),
    notResources: many(statement.NotResource),
    conditions: readConditions(statement.Condition ?? {}),
  }));
}

function readConditions(document: Record<string, Record<string, Many<string | boolean | number>>>): Conditions {
  const conditions: Conditions = {};
  for (const [operator, keys] of Object.entries(document)) {
    conditions[operator] = Object.fromEntries(
      Object.entries(keys).map(([key, value]) => [key, many(value).map(String)]),
    );
  }
  return conditions;
}

function many<T>(value: Many<T> | undefined): T[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}
