import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The least part of a grant: one action, on one prefix of keys where the statement names prefixes. */
export interface Grant {
  policy: string;
  statement: number;
  action: string;
  keys: string | undefined;
}

interface Statement {
  Action: string | string[];
  Condition?: Record<string, Record<string, string | string[]>>;
}

interface Template {
  Resources: Record<string, { Type: string; Properties: { PolicyDocument?: { Statement: Statement[] } } }>;
}

const leadingKeys = 'dynamodb:LeadingKeys';

/** What the functions of a synthesized template may do with the table and with keys of encryption. */
export function grantsOf(assembly: string): Grant[] {
  const { template } = read(assembly);
  return Object.entries(template.Resources)
    .filter(([, { Type }]) => Type === 'AWS::IAM::Policy')
    .flatMap(([policy, { Properties }]) =>
      Properties.PolicyDocument!.Statement.flatMap((statement, index) =>
        actionsOf(statement)
          .filter((action) => /^(dynamodb|kms):/.test(action))
          .flatMap((action) => keysOf(statement).map((keys) => ({ policy, statement: index, action, keys }))),
      ),
    );
}

/** A copy of the assembly that lacks one grant. */
export function withoutGrant(assembly: string, folder: string, grant: Grant): string {
  cpSync(assembly, folder, { recursive: true });
  const { file, template } = read(folder);
  const { Statement: statements } = template.Resources[grant.policy]!.Properties.PolicyDocument!;
  statements.splice(grant.statement, 1, ...remainder(statements[grant.statement]!, grant));
  writeFileSync(file, JSON.stringify(template));
  return folder;
}

function remainder(statement: Statement, { action, keys }: Grant): Statement[] {
  const otherActions = actionsOf(statement).filter((other) => other !== action);
  const otherKeys = keysOf(statement).filter((other) => other !== keys);
  return [
    ...(otherActions.length > 0 ? [{ ...statement, Action: otherActions }] : []),
    ...(otherKeys.length > 0 ? [{ ...onlyFor(statement, otherKeys as string[]), Action: action }] : []),
  ];
}

function onlyFor(statement: Statement, keys: string[]): Statement {
  const Condition = Object.fromEntries(
    Object.entries(statement.Condition ?? {}).map(([operator, values]) => [
      operator,
      operator.startsWith('ForAllValues:') && leadingKeys in values ? { ...values, [leadingKeys]: keys } : values,
    ]),
  );
  return { ...statement, Condition };
}

const actionsOf = ({ Action }: Statement) => [Action].flat();

function keysOf({ Condition = {} }: Statement): (string | undefined)[] {
  const named = Object.entries(Condition).filter(([operator]) => operator.startsWith('ForAllValues:'));
  const keys = named.flatMap(([, values]) => values[leadingKeys] ?? []);
  return keys.length > 0 ? keys : [undefined];
}

function read(assembly: string): { file: string; template: Template } {
  const file = join(assembly, readdirSync(assembly).find((name) => name.endsWith('.template.json'))!);
  return { file, template: JSON.parse(readFileSync(file, 'utf8')) };
}
