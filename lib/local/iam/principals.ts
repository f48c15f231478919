import { randomBytes } from 'node:crypto';
import type { Statement } from './evaluate.ts';

/** The signer of a request: the worker of a function, limited by its role, or the operator. */
export interface Principal {
  /** Undefined for the operator, who may do everything. */
  statements: readonly Statement[] | undefined;
  arn: string;
  functionId: string | undefined;
  /** What the worker is processing. */
  invocation(): Invocation | undefined;
}

export interface Invocation {
  /** Lambda's. */
  requestId: string;
  /** The method and resource of API Gateway that it serves. */
  route: string | undefined;
}

export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
}

export interface Principals {
  add(principal: Principal): Credentials;
  remove(accessKeyId: string): void;
  find(accessKeyId: string): Principal | undefined;
  /** The secret of the access key, which signs requests. */
  secretOf(accessKeyId: string): string | undefined;
}

export function createPrincipals(): Principals {
  const known = new Map<string, { principal: Principal; secretAccessKey: string }>();
  return {
    add: (principal) => {
      const accessKeyId = `AKIA${randomBytes(8).toString('hex').toUpperCase()}`;
      const secretAccessKey = randomBytes(20).toString('hex');
      known.set(accessKeyId, { principal, secretAccessKey });
      return { accessKeyId, secretAccessKey };
    },
    remove: (accessKeyId) => known.delete(accessKeyId),
    find: (accessKeyId) => known.get(accessKeyId)?.principal,
    secretOf: (accessKeyId) => known.get(accessKeyId)?.secretAccessKey,
  };
}
