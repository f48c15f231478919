/**
 * Where images lie in their bucket. The distribution serves what is below `public`, so the path of a public image there is
 * `/images/…`; nothing serves what is below `private`.
 */
export const imagePlaces = { public: 'public/images/', private: 'private/images/' } as const;

/** What the distribution puts before the path of a request, and the paths that it serves. */
export const publicImages = { originPath: '/public', pathPattern: 'images/*' } as const;
