import Type from 'typebox';
import { imageTypes } from '../catalogues/enumerations.ts';
import { Choice, File, Shape } from '../shapes/shapes.ts';
import { declare, shopPath } from './operation.ts';

const ImageUpload = Shape('ImageUpload', {
  image_type: Choice(imageTypes, { description: 'What the image shows. It decides whether the image is public.' }),
  image: File({
    description:
      'A JPEG, PNG, GIF or WebP file of up to 4 MB. The service reads the format from the content, not from the file name.',
  }),
});

const Image = Shape('Image', {
  url: Type.String({
    format: 'uri',
    description: 'The address of the image. It never expires. Use it in other requests.',
  }),
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
      'Uploads an image and returns its `url`. Images of the types `background`, `logo`, `product` and `voucher` are',
      'public: anyone can open the `url`. Images of the types `claim` and `signature` are private: nobody can open their',
      '`url` directly. A claim that contains the `url` shows a signed one instead, which works for ten minutes.',
      '\n\nThe service removes metadata (position, camera, comments, thumbnails) and keeps colours and orientation.',
      'It refuses other formats, and files that are damaged, incomplete or have extra data at the end.',
    ].join(' '),
    body: { multipart: ImageUpload },
    response: Image,
    errors: ['image_media_unsupported'],
  },
});
