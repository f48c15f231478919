import { resolve } from 'node:path';

export interface Configuration {
  port: number;
  dataDir: string;
  superAdminKey: { username: string; secret: string } | undefined;
  retryBaseSeconds: number;
  /** JSON: where the events of each integration go. */
  integrationTargets: string | undefined;
  /** A template that is synthesized already. */
  assembly: string | undefined;
}

/** The local stack's settings, from environment variables; a wrong one gives one clear line. */
export function readConfiguration(env: Record<string, string | undefined>): Configuration {
  return {
    port: integer(env.PORT, 'PORT', 3000, 0, 65_535),
    dataDir: resolve(env.DATA_DIR || '.local'),
    superAdminKey: env.SUPERADMIN_KEY ? credentials(env.SUPERADMIN_KEY) : undefined,
    retryBaseSeconds: integer(env.RETRY_BASE_SECONDS, 'RETRY_BASE_SECONDS', 10, 0, 3600),
    integrationTargets: env.INTEGRATION_TARGETS ? json(env.INTEGRATION_TARGETS) : undefined,
    assembly: env.ASSEMBLY ? resolve(env.ASSEMBLY) : undefined,
  };
}

function integer(text: string | undefined, name: string, otherwise: number, least: number, most: number): number {
  if (!text) return otherwise;
  const value = Number(text);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new Error(`${name} must be a whole number from ${least} to ${most}, not "${text}".`);
}

function json(text: string): string {
  try {
    JSON.parse(text);
    return text;
  } catch {
    throw new Error(
      'INTEGRATION_TARGETS must be JSON. Example: { "integration_1": { "url": "https://…", "scheme": "bearer" } }',
    );
  }
}

function credentials(text: string): { username: string; secret: string } {
  const colon = text.indexOf(':');
  const [username, secret] = [text.slice(0, Math.max(colon, 0)), text.slice(colon + 1)];
  if (username !== '' && username.length <= 255 && secret.length >= 16) return { username, secret };
  throw new Error(
    'SUPERADMIN_KEY must have the form username:secret. The secret must have at least 16 characters, the username at most 255.',
  );
}
