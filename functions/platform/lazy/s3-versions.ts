import { DeleteObjectCommand, ListObjectVersionsCommand, S3Client } from '@aws-sdk/client-s3';
import { clientOptions } from '#platform/aws-client.ts';

const client = new S3Client(clientOptions);

export interface ObjectVersion {
  key: string;
  versionId: string;
}

/** All versions of all objects whose names begin so, and the marks of removed ones, in the order of their names. */
export async function* versionPages(bucket: string, prefix: string): AsyncGenerator<ObjectVersion[]> {
  let KeyMarker: string | undefined;
  let VersionIdMarker: string | undefined;
  do {
    const { Versions, DeleteMarkers, ...next } = await client.send(
      new ListObjectVersionsCommand({ Bucket: bucket, Prefix: prefix, KeyMarker, VersionIdMarker, MaxKeys: 100 }),
    );
    yield [...(Versions ?? []), ...(DeleteMarkers ?? [])]
      .map(({ Key, VersionId }) => ({ key: Key!, versionId: VersionId! }))
      .sort((a, b) => (a.key < b.key ? -1 : 1));
    ({ NextKeyMarker: KeyMarker, NextVersionIdMarker: VersionIdMarker } = next);
  } while (KeyMarker !== undefined);
}

/** Nothing of it is left then, not even a mark. */
export const removeVersion = (bucket: string, { key, versionId }: ObjectVersion) =>
  client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key, VersionId: versionId }));
