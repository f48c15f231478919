import { type Resource, resourcesOf, type Template } from './synthesis.ts';

export interface Statement {
  readonly actions: readonly string[];
  readonly resources: readonly unknown[];
  // biome-ignore lint/suspicious/noExplicitAny: a condition block is JSON of free shape.
  readonly conditions: Record<string, any>;
}

/** What the roles of the template may do: their inline policies, and the policies attached to them. */
export function allowedByRoles(template: Template): Statement[] {
  return resourcesOf(template, 'AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy', 'AWS::IAM::Role').flatMap(
    ([, resource]) => documentsOf(resource).flatMap(allowed),
  );
}

/** What one function may do. */
export function allowedByRoleOf(template: Template, functionId: string): Statement[] {
  const [roleId] = template.Resources[functionId]!.Properties.Role['Fn::GetAtt'];
  return resourcesOf(template, 'AWS::IAM::Policy')
    .filter(([, { Properties }]) => Properties.Roles.some((role: { Ref: string }) => role.Ref === roleId))
    .flatMap(([, resource]) => documentsOf(resource).flatMap(allowed));
}

interface PolicyDocument {
  // biome-ignore lint/suspicious/noExplicitAny: statements as the template holds them.
  readonly Statement: any[];
}

function documentsOf({ Properties }: Resource): PolicyDocument[] {
  if (Properties.PolicyDocument) return [Properties.PolicyDocument];
  return (Properties.Policies ?? []).map((policy: { PolicyDocument: PolicyDocument }) => policy.PolicyDocument);
}

function allowed(document: PolicyDocument): Statement[] {
  return document.Statement.filter(({ Effect }) => Effect === 'Allow').map((statement) => ({
    actions: [statement.Action].flat(),
    resources: [statement.Resource].flat(),
    conditions: statement.Condition ?? {},
  }));
}
