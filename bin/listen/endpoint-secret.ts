import type { Client } from '#schemas/client/index.ts';

/** The secret by which the service signs what it sends to an endpoint. */
export async function currentSecret(client: Client<'slug'>, uuid: string, signal: AbortSignal): Promise<string> {
  const [endpoint] = await client.searchWebhooks({ query: { uuid }, signal });
  if (!endpoint) throw new Error(`There is no endpoint ${uuid} in this shop.`);
  return endpoint.secret;
}
