import { functionIds, onlyResource, pipelineIds, type Template } from '#test/infra/synthesis.ts';

/** What a template deploys that the next one cannot change at will. */
export interface Deployed {
  /** The logical ids of the functions and of their roles, by the names of the functions. */
  functions: Record<string, { id: string; role: string }>;
  table: { key: string; indexes: Record<string, string> };
}

export function deployedBy(template: Template): Deployed {
  const ids = Object.entries({ ...functionIds(template), ...pipelineIds(template) }).toSorted();
  const { KeySchema, GlobalSecondaryIndexes } = onlyResource(template, 'AWS::DynamoDB::GlobalTable').Properties;
  return {
    functions: Object.fromEntries(ids.map(([name, id]) => [name, { id, role: roleOf(template, id) }])),
    table: {
      key: keysIn(KeySchema),
      indexes: Object.fromEntries((GlobalSecondaryIndexes as Index[]).map((index) => [index.IndexName, textOf(index)])),
    },
  };
}

const roleOf = (template: Template, id: string): string => template.Resources[id]!.Properties.Role['Fn::GetAtt'][0];

/** The names of the environment variables of each function. */
export function variablesOf(template: Template): Record<string, string[]> {
  const ids = Object.entries({ ...functionIds(template), ...pipelineIds(template) }).toSorted();
  const namesOf = (id: string) => Object.keys(template.Resources[id]!.Properties.Environment.Variables).toSorted();
  return Object.fromEntries(ids.map(([name, id]) => [name, namesOf(id)]));
}

type KeySchema = readonly { AttributeName: string; KeyType: string }[];

interface Index {
  IndexName: string;
  KeySchema: KeySchema;
  Projection: { ProjectionType: string; NonKeyAttributes?: readonly string[] };
}

const keysIn = (schema: KeySchema): string =>
  schema.map(({ AttributeName, KeyType }) => `${KeyType} ${AttributeName}`).join(', ');

const textOf = ({ KeySchema, Projection: { ProjectionType, NonKeyAttributes = [] } }: Index): string =>
  [keysIn(KeySchema), ProjectionType, ...NonKeyAttributes.toSorted()].join(', ');

export interface Throughput {
  ReadUnitsPerSecond: number;
  WriteUnitsPerSecond: number;
}

/** What the table takes at once. Undefined if the template does not say. */
export const warmThroughputOf = (template: Template): Throughput | undefined =>
  onlyResource(template, 'AWS::DynamoDB::GlobalTable').Properties.WarmThroughput;

/** The stages whose throughput is kept. */
export const keptStages = ['dev', 'prod'] as const;
