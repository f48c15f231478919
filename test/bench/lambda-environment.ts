import type { RunningService } from '#test/kit/service.ts';

/** The environment that Lambda would give a handler, for one that runs in this process. */
export function useInThisProcess({ stack, tableName }: RunningService): void {
  const { endpoint, region, credentials } = stack.clientConfig;
  Object.assign(process.env, {
    TABLE_NAME: tableName,
    AWS_REGION: region,
    AWS_ENDPOINT_URL: endpoint,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    POWERTOOLS_LOG_LEVEL: 'SILENT',
  });
}
