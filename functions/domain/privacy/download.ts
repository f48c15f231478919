import type { S3Client } from '@aws-sdk/client-s3';
import { clientOptions } from '#platform/aws-client.ts';
import { required } from '#platform/environment.ts';
import { disclosurePrefix } from '#schemas/catalogues/disclosures.ts';
import { privacyLimits as limits, secondsOfDays } from '#schemas/catalogues/limits.ts';
import type { PrivacyRequest } from './request.ts';

export const disclosureKey = (slug: string, uuid: string): string => `${disclosurePrefix}${slug}/${uuid}.zip`;

/** Whether there is a ZIP. It goes with its time, or with an erasure of the person. */
export function hasDownload({ kind, status, dry_run, done_at, download_gone }: PrivacyRequest, now: Date): boolean {
  if (kind !== 'disclosure' || status !== 'done' || dry_run || download_gone || done_at === null) return false;
  return now.getTime() < Date.parse(done_at) + secondsOfDays(limits.downloadDays) * 1000;
}

let client: S3Client | undefined;

/** An address of the ZIP that works for an hour. */
export async function downloadUrlOf(request: PrivacyRequest, now: Date): Promise<string | null> {
  if (!hasDownload(request, now)) return null;
  const { GetObjectCommand, getSignedUrl, S3Client } = await import('#platform/lazy/s3-signing.ts');
  client ??= new S3Client(clientOptions);
  const { shop_slug, uuid } = request;
  const command = new GetObjectCommand({ Bucket: required('PAYLOAD_BUCKET'), Key: disclosureKey(shop_slug, uuid) });
  return getSignedUrl(client, command, { expiresIn: limits.downloadMinutes * 60, signingDate: now });
}
