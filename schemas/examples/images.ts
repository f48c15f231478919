import type { images } from '../families/images.ts';
import type { ExamplesOf } from './example.ts';
import { imageUrl, slug } from './story.ts';

export const imageExamples = {
  uploadImage: {
    body: { image_type: 'claim', image: 'torn-seam.jpg' },
    response: { url: imageUrl, image_type: 'claim', shop_slug: slug },
  },
} satisfies ExamplesOf<typeof images>;
