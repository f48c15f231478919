import type { S3Client } from '@aws-sdk/client-s3';
import type { ShopItem } from '#platform/access/caller.ts';
import { clientOptions } from '#platform/aws-client.ts';
import { required } from '#platform/environment.ts';
import { type ImageType, imageTypes, privateImageTypes } from '#schemas/catalogues/enumerations.ts';
import { imagePlaces } from '#schemas/catalogues/image-places.ts';
import { webLink } from '#schemas/catalogues/links.ts';

export interface ImageName {
  shopUuid: string;
  type: ImageType;
  /** A unique name with the extension of its format. */
  file: string;
}

export const isPrivate = ({ type }: Pick<ImageName, 'type'>) => privateImageTypes.includes(type);

export function objectKey(name: ImageName): string {
  const place = isPrivate(name) ? imagePlaces.private : imagePlaces.public;
  return `${place}${name.shopUuid}/${name.type}/${name.file}`;
}

/** The path of the image's URL. It never expires. The path of a private image cannot be fetched. */
function pathOf(name: ImageName): string {
  return `/${objectKey(name).replace(/^public\//, '')}`;
}

/** A pattern and not uuid's `validate`, because it is part of the pattern of a whole path. */
const uuid = '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}';
const paths = new RegExp(`^/(?:private/)?images/(${uuid})/(${imageTypes.join('|')})/(${uuid}\\.[a-z]{3,4})$`);

/** The image that a path names, or undefined for any other path. */
function imageNameIn(path: string): ImageName | undefined {
  const [, shopUuid, type, file] = paths.exec(path) ?? [];
  if (!shopUuid || !type || !file) return undefined;
  const name = { shopUuid, type: type as ImageType, file };
  return pathOf(name) === path ? name : undefined;
}

type Owner = Pick<ShopItem, 'uuid'>;

/** Long enough to load a page, and too short to be useful in a log or a forwarded link. */
const signedSeconds = 600;

/** The URL that an upload returns and that other resources store. */
export const imageUrl = (name: ImageName): string => required('IMAGES_URL') + pathOf(name);

/**
 * The URL that a response shows for a stored URL. A private image of the shop gets a URL that works for ten minutes.
 * Any other URL stays as it is. The host is not compared, so URLs stored under an earlier address of the service still
 * work. The shop is compared, so a claim that names another shop's image cannot open it.
 */
export async function signedImageUrl(storedUrl: string, now: Date, shop: Owner): Promise<string> {
  const key = privateObjectKey(storedUrl, shop);
  if (key === undefined) return storedUrl;
  const { GetObjectCommand, getSignedUrl, S3Client } = await import('#platform/lazy/s3-signing.ts');
  client ??= new S3Client(clientOptions);
  const command = new GetObjectCommand({ Bucket: required('IMAGE_BUCKET'), Key: key });
  return getSignedUrl(client, command, { expiresIn: signedSeconds, signingDate: now });
}

/** The object of a private image of the shop; undefined for any other URL. */
export function privateObjectKey(storedUrl: string, shop: Owner): string | undefined {
  const name = imageNameIn(URL.parse(webLink(storedUrl) ?? '')?.pathname ?? '');
  return name && isPrivate(name) && name.shopUuid === shop.uuid ? objectKey(name) : undefined;
}

let client: S3Client | undefined;
