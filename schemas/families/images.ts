import Type, { type Static } from 'typebox';
import { imageTypes } from '../catalogues/enumerations.ts';
import { Choice, File, Shape } from '../shapes/shapes.ts';
import { declare, shopPath } from './operation.ts';

const ImageUpload = Shape('ImageUpload', {
  image_type: Choice(imageTypes),
  image: File({
    description: 'A JPEG, PNG, GIF or WebP of 4 MB at most. Its content decides, not its name.',
  }),
});

const Image = Shape('Image', {
  url: Type.String({ format: 'uri', description: 'Never expires. To be named in other requests.' }),
  image_type: Choice(imageTypes),
  shop_slug: Type.String(),
});

export const images = declare({
  uploadImage: {
    method: 'POST',
    path: `${shopPath}/images`,
    role: 'editor',
    summary: 'Upload an image',
    description: [
      'Images of the types `background`, `logo`, `product` and `voucher` are public: anyone can open `url`. Those of the',
      'types `claim` and `signature` are private: their `url` opens nothing by itself, but a claim that names it shows a',
      'signed one which opens for ten minutes.',
      '\n\nThe image is stored without its metadata (position, camera, comments, thumbnails); colours and orientation stay.',
      'A file that is broken, cut off or has something appended is refused, as are other formats.',
    ].join(' '),
    body: { multipart: ImageUpload },
    response: Image,
    errors: ['image_media_unsupported'],
  },
});

export type Image = Static<typeof Image>;
