export type KeyType = 'S' | 'N' | 'B';

export interface KeySchema {
  hash: string;
  range?: string;
}

export type ProjectionType = 'ALL' | 'KEYS_ONLY' | 'INCLUDE';

export interface IndexDefinition {
  id: number;
  name: string;
  key: KeySchema;
  projection: ProjectionType;
  included: string[];
}

export type StreamViewType = 'KEYS_ONLY' | 'NEW_IMAGE' | 'OLD_IMAGE' | 'NEW_AND_OLD_IMAGES';

export interface StreamDefinition {
  id: number;
  arn: string;
  label: string;
  tableName: string;
  key: KeySchema;
  viewType: StreamViewType;
  enabled: boolean;
  created: number;
  stopped?: number;
}

export interface TableDefinition {
  id: number;
  name: string;
  arn: string;
  uuid: string;
  created: number;
  key: KeySchema;
  types: Record<string, KeyType>;
  indexes: IndexDefinition[];
  nextIndexId: number;
  billing: { mode: string; read: number; write: number };
  deletionProtection: boolean;
  pointInTimeRecovery: boolean;
  tags: Record<string, string>;
  encryption?: Record<string, unknown>;
  tableClass?: string;
  ttlAttribute?: string;
  stream?: StreamDefinition;
}

export const keyNames = (key: KeySchema) => (key.range === undefined ? [key.hash] : [key.hash, key.range]);

export const indexByName = (table: TableDefinition, name: string) => table.indexes.find((index) => index.name === name);

export const itemsTable = (table: TableDefinition) => `items_${table.id}`;
export const indexTable = (table: TableDefinition, index: IndexDefinition) => `index_${table.id}_${index.id}`;
