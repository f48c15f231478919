import { vi } from 'vitest';
import type { LocalStack } from '#lib/local/stack.ts';

interface Link {
  pageToken: string;
  slug: string;
  address: string;
}

/** Makes the token of a link as the function that sends mails does: with the keys and the table of the stack. */
export async function unsubscribeTokenIn(
  stack: Pick<LocalStack, 'clientConfig' | 'outputs'>,
  link: Link,
): Promise<string> {
  const { region, endpoint, credentials } = stack.clientConfig;
  Object.assign(process.env, {
    AWS_REGION: region,
    AWS_ENDPOINT_URL: endpoint,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    TABLE_NAME: stack.outputs.TableName,
    CREDENTIALS_KEY_ID: stack.outputs.CredentialsKeyId,
  });
  // A worker that has run a file with another stack remembers that stack's key and clients.
  vi.resetModules();
  const { unsubscribeToken } = await import('#domain/emails/unsubscribe-token.ts');
  return unsubscribeToken(link);
}
