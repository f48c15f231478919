/** Made at build time from `schemas/`: see lib/bundling/contract-modules.ts. */
declare module 'contract:*' {
  export const operations: import('./platform/http/request.ts').RuntimeOperations;
  export const methods: Record<string, string[]>;
}

declare module 'message:carrierHistory' {
  export const validate: (message: unknown) => message is import('#schemas/shapes/carrier-updates.ts').CarrierHistory;
}

declare module 'message:carrierUpdate' {
  export const validate: (message: unknown) => message is import('#schemas/shapes/carrier-updates.ts').CarrierUpdate;
}

declare module 'form:trackingPagePreview' {
  export const validate: import('./platform/http/request.ts').Validator;
}

/** The text of a file beside the importing one, without what only people need: see lib/bundling/minified-texts.ts. */
declare module 'minified:*' {
  export const text: string;
}
