/** The value of an environment variable without which the function cannot work. */
export function required(variable: string): string {
  const value = process.env[variable];
  if (!value) throw new Error(`${variable} is not set`);
  return value;
}

/** The first pause after a failure. Tests have shorter ones. */
export const retryBaseSeconds = (): number => Number(process.env.RETRY_BASE_SECONDS || 10);
