import { downloadUrlOf } from '#domain/privacy/download.ts';
import { toResponse } from '#domain/privacy/presentation.ts';
import { getPrivacyRequest as findRequest, requestReader, startPrivacyRequest } from '#domain/privacy/request-store.ts';
import { ServiceError } from '#platform/errors.ts';
import type { Implementation } from '#platform/http/request.ts';
import { readPage } from '#platform/table/paging.ts';
import type { privacy } from '#schemas/families/privacy.ts';
import { personOf } from './person-rules.ts';

type Operations = typeof privacy;

export const createPrivacyRequest: Implementation<Operations['createPrivacyRequest']> = async (request) => {
  const { shop, body, caller, now } = request;
  const { kind, dry_run, reference } = body;
  const asked = { kind, dry_run, reference: reference ?? null, person: personOf(body), requested_by: caller.keyLabel };
  return toResponse(await startPrivacyRequest(shop, asked, now), null);
};

export const listPrivacyRequests: Implementation<Operations['listPrivacyRequests']> = async (request) => {
  const { shop, now } = request;
  const found = await readPage(request, `privacy-requests#${shop.slug}`, requestReader(shop.slug));
  return Promise.all(found.map(async (one) => toResponse(one, await downloadUrlOf(one, now))));
};

export const getPrivacyRequest: Implementation<Operations['getPrivacyRequest']> = async ({ shop, params, now }) => {
  const found = await findRequest(shop.slug, params.uuid);
  if (!found) throw new ServiceError('privacy_request_not_found');
  return toResponse(found, await downloadUrlOf(found, now));
};
