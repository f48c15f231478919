import { type Credential, secretOf } from '#domain/dialects/credential.ts';

/** How requests to Klaviyo authenticate. Source: github.com/klaviyo/openapi, revision 2026-07-15. */
const revision = '2026-07-15';

export const klaviyoHeaders = (credential: Credential): Record<string, string> => ({
  authorization: `Klaviyo-API-Key ${secretOf(credential)}`,
  revision,
  accept: 'application/vnd.api+json',
  'content-type': 'application/vnd.api+json',
});
