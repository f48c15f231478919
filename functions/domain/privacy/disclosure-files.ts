import { required } from '#platform/environment.ts';
import { disclosurePrefix } from '#schemas/catalogues/disclosures.ts';
import { disclosureKey } from './download.ts';

/** Where a disclosure lies in the bucket while it is made: its parts, and at last one file. */

interface Disclosure {
  shop_slug: string;
  uuid: string;
}

export const disclosureObject = ({ shop_slug, uuid }: Disclosure) => ({
  Bucket: required('PAYLOAD_BUCKET'),
  Key: disclosureKey(shop_slug, uuid),
});

/** The name of a part. Numbers have the same length, so that names sort as parts do. */
export const partObject = ({ shop_slug, uuid }: Disclosure, kind: 'data' | 'images' | 'directory', n: number) => ({
  Bucket: required('PAYLOAD_BUCKET'),
  Key: `${partsOf({ shop_slug, uuid })}${kind}-${String(n).padStart(6, '0')}`,
});

const partsOf = ({ shop_slug, uuid }: Disclosure): string => `${disclosurePrefix}${shop_slug}/${uuid}/`;

/** Removes the file, and its parts unless somebody needs them to go on. */
export async function removeFiles(disclosure: Disclosure, { keepsParts = false } = {}): Promise<void> {
  const { versionPages, removeVersion } = await import('#platform/lazy/s3-versions.ts');
  const { Bucket, Key } = disclosureObject(disclosure);
  for (const prefix of [Key, ...(keepsParts ? [] : [partsOf(disclosure)])]) {
    for await (const page of versionPages(Bucket, prefix)) {
      for (const version of page) await removeVersion(Bucket, version);
    }
  }
}
