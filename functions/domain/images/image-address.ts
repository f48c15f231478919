import { type ImageType, imageTypes, privateImageTypes } from '#schemas/catalogues/enumerations.ts';
import { imagePlaces } from '#schemas/catalogues/image-places.ts';

/** An image by the parts of its name. */
export interface ImageName {
  shopUuid: string;
  type: ImageType;
  /** Unique, with the extension of its format. */
  file: string;
}

export const isPrivate = ({ type }: Pick<ImageName, 'type'>) => privateImageTypes.includes(type);

export function objectKey(name: ImageName): string {
  const place = isPrivate(name) ? imagePlaces.private : imagePlaces.public;
  return `${place}${name.shopUuid}/${name.type}/${name.file}`;
}

/** The path of the image's URL. It never expires; a private image is not there to be fetched. */
export function pathOf(name: ImageName): string {
  return `/${objectKey(name).replace(/^public\//, '')}`;
}

const uuid = '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}';
const paths = new RegExp(`^/(?:private/)?images/(${uuid})/(${imageTypes.join('|')})/(${uuid}\\.[a-z]{3,4})$`);

/** The image that a path names; undefined for any other path. */
export function nameOf(path: string): ImageName | undefined {
  const [, shopUuid, type, file] = paths.exec(path) ?? [];
  if (!shopUuid || !type || !file) return undefined;
  const name = { shopUuid, type: type as ImageType, file };
  return pathOf(name) === path ? name : undefined;
}
