import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

/** What imports what. Biome's `noImportCycles` knows no folders. */
type Graph = Map<string, Set<string>>;

const folders: Record<string, string> = {
  platform: 'functions',
  domain: 'functions',
  pipeline: 'functions',
  api: 'functions',
};

/** Imports of types count, and those of modules that are loaded when they are needed. */
const importPattern = /(?:\bfrom|\bimport\(?)\s*'([.#][^']+\.tsx?)'/g;

function filesOf(root: string): Graph {
  const files = globSync('{functions,schemas,lib}/**/*.{ts,tsx}', { cwd: root });
  return new Map(
    files.map((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      return [file, new Set([...text.matchAll(importPattern)].map(([, name]) => resolved(file, name!)))];
    }),
  );
}

function resolved(file: string, name: string): string {
  if (name.startsWith('.')) return normalize(join(dirname(file), name));
  const [layer] = name.slice(1).split('/') as [string];
  return join(folders[layer] ?? '', name.slice(1));
}

const domainFolder = (file: string) => /^functions\/domain\/[^/]+/.exec(file)?.[0];

function domainFoldersOf(files: Graph): Graph {
  const graph: Graph = new Map();
  for (const [file, imported] of files) {
    const from = domainFolder(file);
    if (!from) continue;
    const others = [...imported].flatMap((other) => domainFolder(other) ?? []).filter((to) => to !== from);
    graph.set(from, new Set([...(graph.get(from) ?? []), ...others]));
  }
  return graph;
}

/** One circle for each import that closes one, as a path that ends where it begins. */
function circlesIn(graph: Graph): string[] {
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (name: string, path: readonly string[]) => {
    if (path.includes(name)) circles.push([...path.slice(path.indexOf(name)), name].join(' → '));
    if (path.includes(name) || done.has(name)) return;
    for (const next of graph.get(name) ?? []) visit(next, [...path, name]);
    done.add(name);
  };
  for (const name of graph.keys()) visit(name, []);
  return circles;
}

const files = filesOf('.');

test('no file imports itself by way of others', () => {
  expect(files.size).toBeGreaterThan(500);
  expect(files.get('functions/domain/orders/upsert.ts')).toContain('functions/domain/orders/model.ts');
  expect(circlesIn(files)).toEqual([]);
});

test('no folder of the domain imports itself by way of others', () => {
  expect(circlesIn(domainFoldersOf(files))).toEqual([]);
});

test('finds a circle of files, also of types and of what is loaded later, and a circle of folders', () => {
  const root = mkdtempSync(join(tmpdir(), 'circles-'));
  const planted = {
    'functions/domain/orders/a.ts': "import type { C } from '#domain/claims/c.ts';\n",
    'functions/domain/orders/b.ts': "import { d } from './d.ts';\n",
    'functions/domain/orders/d.ts': "export const later = () => import('./b.ts');\n",
    'functions/domain/claims/c.ts': "export type { B } from '#domain/orders/b.ts';\n",
    'lib/console/e.tsx': "import {\n  f,\n  g,\n} from './f.ts';\n",
    'lib/console/f.ts': "import './e.tsx';\n",
  };
  for (const [file, text] of Object.entries(planted)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  const found = filesOf(root);
  rmSync(root, { recursive: true });
  expect(circlesIn(found).sort()).toEqual([
    expect.stringMatching(/orders\/[bd]\.ts → .*orders\/[bd]\.ts$/),
    expect.stringMatching(/lib\/console\/[ef]\.tsx? → /),
  ]);
  expect(circlesIn(domainFoldersOf(found))).toHaveLength(1);
});
