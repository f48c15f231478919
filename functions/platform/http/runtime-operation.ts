import type { Role } from '#schemas/families/operation.ts';

/** A fault as ajv's generated code reports it. */
export interface Fault {
  keyword: string;
  instancePath: string;
  params: Record<string, unknown>;
  /** Where it is the name of a field that is wrong, not a value. */
  propertyName?: string;
}

export interface Validator {
  (value: unknown): boolean;
  errors?: Fault[] | null;
}

/** What is left of a declared operation at run time. */
export interface RuntimeOperation {
  id: string;
  method: string;
  path: string;
  paths: string[];
  role: Role;
  status: number;
  mediaType: string;
  params?: Validator;
  query?: Validator;
  bodyType?: 'json' | 'multipart';
  body?: () => Promise<BodyValidator>;
}

/** For one shape, or for one that depends on a path parameter. */
export type BodyValidator = Validator | { parameter: string; shapes: Record<string, Validator> };

export type RuntimeOperations = Record<string, RuntimeOperation>;
