/** Made at build time from `schemas/`: see lib/bundling/contract-modules.ts. */
declare module 'contract:*' {
  export const operations: import('#shared/runtime-operation.ts').RuntimeOperations;
  export const methods: Record<string, string[]>;
}
