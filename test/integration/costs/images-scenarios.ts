import { wholeImages } from '#test/kit/images.ts';
import type { Scenario } from './scenarios.ts';

const form = () => {
  const fields = new FormData();
  fields.set('image_type', 'claim');
  fields.set('image', new Blob([wholeImages.jpeg]), 'photo.jpg');
  return fields;
};

export const imagesScenarios: Scenario[] = [
  {
    operation: 'uploadImage',
    access: '`KEYS#username` / token id; `SHOP#slug` / `SHOP`; put the object',
    code: 'functions/api/images/upload-image.ts',
    run: ({ call, slug }) => call('POST', `/v1/shops/${slug}/images`, form()),
  },
];
