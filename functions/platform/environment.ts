/** The value of an environment variable without which the function cannot work. */
export function required(variable: string): string {
  const value = process.env[variable];
  if (!value) throw new Error(`${variable} is not set`);
  return value;
}

/**
 * Whether a shipment that changes is listed in its shard. Every function reads both the shards and the one list that was
 * before them: lib/decisions/releases.md says when a stage may set it.
 */
export const spreadsShipments = (): boolean => process.env.SPREAD_SHIPMENTS === 'true';

/** The first pause after a failure. Tests have shorter ones. */
export const retryBaseSeconds = (): number => Number(process.env.RETRY_BASE_SECONDS || 10);
