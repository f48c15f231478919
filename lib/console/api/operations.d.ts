/** Made of the declarations when the console is bundled: see lib/bundling/console.ts. */
declare module 'console:operations' {
  /** Method, path and role of each operation, with a space between them. */
  export const operations: Record<string, string>;
}

declare module '*.css' {}
