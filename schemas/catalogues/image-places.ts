/**
 * The folders of the images in their bucket. The distribution serves everything below `public`, so the path of a public
 * image is `/images/…`. Nothing serves the folder `private`.
 */
export const imagePlaces = { public: 'public/images/', private: 'private/images/' } as const;

/** The prefix that the distribution adds to the path of a request, and the paths that it serves. */
export const publicImages = { originPath: '/public', pathPattern: 'images/*' } as const;
