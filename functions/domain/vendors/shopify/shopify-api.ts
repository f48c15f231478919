import { type Credential, secretOf } from '#domain/vendors/credential.ts';
import {
  again,
  refused,
  usualResult,
  type VendorAnswer,
  type VendorRequest,
  type VendorResult,
} from '#domain/vendors/dialect.ts';
import { fieldsOf, listOf } from '#platform/foreign-json.ts';

/** How requests to Shopify's GraphQL Admin API authenticate. Source: shopify.dev/docs/api/admin-graphql, version 2026-10. */
const path = '/admin/api/2026-10/graphql.json';

export const shopifyRequest = (credential: Credential, query: string, variables: object): VendorRequest => ({
  method: 'POST',
  path,
  headers: { 'x-shopify-access-token': secretOf(credential), 'content-type': 'application/json' },
  body: { query, variables },
});

/**
 * What is wrong with an answer of GraphQL, which is 200 also for most failures. Undefined if it has data. Source:
 * shopify.dev/docs/api/admin-graphql, "Status and error codes" and "Rate limits".
 */
export function shopifyFault(answer: VendorAnswer, now: Date): VendorResult | undefined {
  if (answer.status !== 200) return usualResult(answer, now);
  const { errors, data } = fieldsOf(answer.body);
  const [error] = listOf(errors);
  if (error === undefined) return data ? undefined : again('malformed_answer');
  const code = String(fieldsOf(error.extensions).code ?? error.message);
  if (/^throttled$/i.test(code)) return { kind: 'throttled', ...restoreTime(answer) };
  // The merchant can give the key the missing rights. The vendor's own trouble passes.
  if (/^(ACCESS_DENIED|SHOP_INACTIVE|INTERNAL_SERVER_ERROR|TIMEOUT)$/.test(code)) return again(code.toLowerCase());
  return refused('graphql_error');
}

/** The bucket of points fills again at a constant rate. */
function restoreTime({ body }: VendorAnswer): { waitSeconds?: number } {
  const { throttleStatus, requestedQueryCost } = fieldsOf(fieldsOf(fieldsOf(body).extensions).cost);
  const { currentlyAvailable = 0, restoreRate = 0 } = fieldsOf(throttleStatus) as Record<string, number>;
  const missing = Number(requestedQueryCost ?? 0) - currentlyAvailable;
  return restoreRate > 0 && missing > 0 ? { waitSeconds: Math.ceil(missing / restoreRate) } : {};
}
