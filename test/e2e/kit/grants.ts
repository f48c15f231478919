import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The smallest part of a grant: one action, on one prefix of keys if the statement names prefixes. */
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

export const leadingKeys = 'dynamodb:LeadingKeys';

/** What the functions of a synthesized template may do, by default with the table and with keys of encryption. */
export function grantsOf(assembly: string, actions = /^(dynamodb|kms):/): Grant[] {
  const template = read(assembly);
  return Object.entries(template.Resources)
    .filter(([, { Type }]) => Type === 'AWS::IAM::Policy')
    .flatMap(([policy, { Properties }]) =>
      Properties.PolicyDocument!.Statement.flatMap((statement, index) =>
        actionsOf(statement)
          .filter((action) => actions.test(action))
          .flatMap((action) => keysOf(statement).map((keys) => ({ policy, statement: index, action, keys }))),
      ),
    );
}

const actionsOf = ({ Action }: Statement) => [Action].flat();

function keysOf({ Condition = {} }: Statement): (string | undefined)[] {
  const named = Object.entries(Condition).filter(([operator]) => operator.startsWith('ForAllValues:'));
  const keys = named.flatMap(([, values]) => values[leadingKeys] ?? []);
  return keys.length > 0 ? keys : [undefined];
}

function read(assembly: string): Template {
  const file = readdirSync(assembly).find((name) => name.endsWith('.template.json'))!;
  return JSON.parse(readFileSync(join(assembly, file), 'utf8'));
}
