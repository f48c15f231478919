/** Made when the console is bundled: see lib/bundling/console.ts. */

/** A part of the texts of a language. */
declare module 'texts:*' {
  export const texts: Record<string, unknown>;
}

declare module '*.css' {}
