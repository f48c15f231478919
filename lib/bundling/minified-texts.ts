import { readFileSync } from 'node:fs';
import { dirname, extname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Plugin as EsbuildPlugin, type Loader, transformSync } from 'esbuild';

/**
 * `import { text } from 'minified:./page.css'` gives the text of a style or script that a function puts into a page,
 * without comments and spaces. It is made at build time, so no function reads a file for it.
 */
const prefix = 'minified:';
const id = /^minified:/;

export const minifiedTexts = {
  esbuild: (): EsbuildPlugin => ({
    name: 'minified-texts',
    setup(build) {
      build.onResolve({ filter: id }, ({ path, resolveDir }) => ({
        path: fileOf(path, resolveDir),
        namespace: 'minified',
      }));
      build.onLoad({ filter: /.*/, namespace: 'minified' }, ({ path }) => ({
        contents: moduleOf(path),
        loader: 'js',
        watchFiles: [path],
      }));
    },
  }),

  vite: () => ({
    name: 'minified-texts',
    enforce: 'pre' as const,
    // The name ends otherwise than that of the file, because Vite would take it for a style.
    resolveId: (name: string, importer: string | undefined) =>
      id.test(name) ? `\0${prefix}${fileOf(name, dirname(importer!))}.text` : undefined,
    load: (name: string) =>
      name.startsWith(`\0${prefix}`) ? moduleOf(name.slice(prefix.length + 1, -'.text'.length)) : undefined,
  }),
};

/** A path from the importing file, or one of `#schemas`. */
function fileOf(specifier: string, folder: string): string {
  const path = specifier.slice(prefix.length);
  return path.startsWith('#')
    ? fileURLToPath(new URL(`../../${path.slice(1)}`, import.meta.url))
    : resolve(folder, path);
}

/** At once, because the hooks of Node.js for modules do not wait. */
function moduleOf(file: string): string {
  const { code } = transformSync(readFileSync(file, 'utf8'), {
    loader: extname(file).slice(1) as Loader,
    minify: true,
    target: ['chrome100', 'firefox100', 'safari15'],
  });
  return `export const text = ${JSON.stringify(code.trim())};`;
}
