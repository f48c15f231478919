import type { SourceMap } from 'node:module';

/**
 * A bundle is one minified line, so its stack traces name the places in the sources instead, by the maps beside the files.
 * Node's own `--enable-source-maps` reads and parses the map of every file that it loads, which is a tenth of a start. This
 * reads a map when a stack trace is asked for. Every bundle begins with it: see bundle.ts.
 */
Error.prepareStackTrace = (error, sites) => {
  const places = sites.map(placeOf);
  const frames = sites.map((site, i) => {
    const place = places[i];
    if (!place) return `${site}`;
    // The map knows the name of a function only where it is called.
    const name = places[i + 1]?.calls;
    return `${site.isAsync() ? 'async ' : ''}${name ? `${name} (${place.source})` : place.source}`;
  });
  return [titleOf(error), ...frames.map((frame) => `    at ${frame}`)].join('\n');
};

interface Place {
  /** With line and column. */
  source: string;
  /** The name of what is called there. */
  calls: string | undefined;
}

/** Undefined for what is in no bundle, such as Node's own modules. */
function placeOf(site: NodeJS.CallSite): Place | undefined {
  const file = site.getScriptNameOrSourceURL();
  if (!file?.startsWith('file:')) return undefined;
  const entry = mapOf(file)?.findEntry(site.getLineNumber()! - 1, site.getColumnNumber()! - 1);
  if (!entry || !('originalSource' in entry) || !entry.originalSource) return undefined;
  // The types of Node do not know that an entry has a name.
  const { originalSource, originalLine, originalColumn, name } = entry as typeof entry & { name?: string };
  const source = originalSource.replace(/^(\.\.\/)+/, '');
  return { source: `${source}:${originalLine + 1}:${originalColumn + 1}`, calls: name };
}

const maps = new Map<string, SourceMap | undefined>();

function mapOf(file: string): SourceMap | undefined {
  if (!maps.has(file)) maps.set(file, readMap(file));
  return maps.get(file);
}

function readMap(file: string): SourceMap | undefined {
  const { readFileSync } = process.getBuiltinModule('node:fs');
  const { SourceMap: Reader } = process.getBuiltinModule('node:module');
  try {
    return new Reader(JSON.parse(readFileSync(new URL(`${file}.map`), 'utf8')));
  } catch {
    return undefined; // It has none, so it is not of a bundle.
  }
}

/** Whoever throws decides what `toString` does. */
function titleOf(error: Error): string {
  try {
    return `${error}`;
  } catch {
    return 'Error';
  }
}
