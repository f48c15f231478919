/** Made of the declarations when the console is bundled: see lib/bundling/console.ts. */
declare module 'console:operations' {
  /** Method, path and role of each operation, with a space between them. */
  export const operations: Record<string, string>;
}

/** A part of the texts of a language. */
declare module 'texts:*' {
  export const texts: Record<string, unknown>;
}

declare module '*.css' {}
