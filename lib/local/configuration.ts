import { resolve } from 'node:path';
import { integrationTargetsFault } from '#schemas/catalogues/integration-targets.ts';

export interface Configuration {
  port: number;
  dataDir: string;
  superAdminKey: { username: string; secret: string } | undefined;
  retryBaseSeconds: number;
  /** JSON: where the events of each integration go. */
  integrationTargets: string | undefined;
  /** The folder of a template that is already synthesized. */
  assembly: string | undefined;
  others: OtherEndpoints;
}

/** Addresses of other emulators to use instead of our own, for example DynamoDB Local or LocalStack. */
export interface OtherEndpoints {
  dynamodb?: string | undefined;
  sqs?: string | undefined;
  s3?: string | undefined;
}

/** The environment variables for the addresses of other emulators. */
export const endpointVariables = {
  dynamodb: 'AWS_ENDPOINT_URL_DYNAMODB',
  sqs: 'AWS_ENDPOINT_URL_SQS',
  s3: 'AWS_ENDPOINT_URL_S3',
} as const satisfies Record<keyof OtherEndpoints, string>;

/**
 * Reads the settings of the local stack from environment variables. An invalid value gives a clear error of one line.
 */
export function readConfiguration(env: Record<string, string | undefined>): Configuration {
  return {
    port: integer(env.PORT, 'PORT', 3000, 0, 65_535),
    dataDir: resolve(env.DATA_DIR || '.local'),
    superAdminKey: env.SUPERADMIN_KEY ? credentials(env.SUPERADMIN_KEY) : undefined,
    retryBaseSeconds: integer(env.RETRY_BASE_SECONDS, 'RETRY_BASE_SECONDS', 10, 0, 3600),
    integrationTargets: env.INTEGRATION_TARGETS ? targets(env.INTEGRATION_TARGETS) : undefined,
    assembly: env.ASSEMBLY ? resolve(env.ASSEMBLY) : undefined,
    others: {
      dynamodb: address(env, endpointVariables.dynamodb),
      sqs: address(env, endpointVariables.sqs),
      s3: address(env, endpointVariables.s3),
    },
  };
}

function address(env: Record<string, string | undefined>, name: string): string | undefined {
  const text = env[name];
  if (!text || /^https?:\/\/[^/]+\/?$/.test(text)) return text || undefined;
  throw new Error(`${name} must be an address such as http://127.0.0.1:8000, not "${text}".`);
}

function integer(text: string | undefined, name: string, fallback: number, min: number, max: number): number {
  if (!text) return fallback;
  const value = Number(text);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new Error(`${name} must be a whole number from ${min} to ${max}, not "${text}".`);
}

function targets(text: string): string {
  const fault = integrationTargetsFault(text);
  if (fault === undefined) return text;
  throw new Error(`INTEGRATION_TARGETS: ${fault}`);
}

function credentials(text: string): { username: string; secret: string } {
  const colon = text.indexOf(':');
  const [username, secret] = [text.slice(0, Math.max(colon, 0)), text.slice(colon + 1)];
  if (username !== '' && username.length <= 255 && secret.length >= 16) return { username, secret };
  throw new Error(
    'SUPERADMIN_KEY must have the form username:secret. The secret must have at least 16 characters, the username at most 255.',
  );
}
