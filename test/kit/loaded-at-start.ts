import type { Metafile } from 'esbuild';

export interface LoadedAtStart {
  files: number;
  bytes: number;
  /** How many bytes are left of each module. */
  modules: ReadonlyMap<string, number>;
  /** Modules that are no part of the bundle, such as Node's own. */
  externals: ReadonlySet<string>;
}

/** Static imports of the entry are loaded at start, and the rest when a request needs it. */
export function loadedAtStart({ outputs }: Metafile): LoadedAtStart {
  const loaded = new Set(Object.keys(outputs).filter((file) => file.endsWith('/index.mjs')));
  const externals = new Set<string>();
  for (const file of loaded) {
    for (const { path, kind } of outputs[file]!.imports) {
      if (kind === 'import-statement') (outputs[path] ? loaded : externals).add(path);
    }
  }
  const modules = new Map<string, number>();
  let bytes = 0;
  for (const file of loaded) {
    bytes += outputs[file]!.bytes;
    for (const [module, { bytesInOutput }] of Object.entries(outputs[file]!.inputs))
      if (bytesInOutput > 0) modules.set(module, (modules.get(module) ?? 0) + bytesInOutput);
  }
  return { files: loaded.size, bytes, modules, externals };
}
