import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import lock from '../../package-lock.json' with { type: 'json' };

/** The service takes the same path on every machine, and what it needs can be installed there. */

const root = resolve(import.meta.dirname, '../..');
const source = globSync('{bin,lib,functions,schemas,test/kit}/**/*.ts', { cwd: root }).map((file) => ({
  file,
  text: readFileSync(join(root, file), 'utf8'),
}));
const filesWith = (pattern: RegExp) => source.filter(({ text }) => pattern.test(text)).map(({ file }) => file);

describe('the code', () => {
  test.each([
    ['process', /process\??\.(arch|platform)\b|\{[^}]*\b(arch|platform)\b[^}]*\} = process\b/],
    [
      'node:os',
      /\{[^}]*\b(arch|endianness|machine|platform|type)\b[^}]*\} from '(node:)?os'|\bos\.(arch|machine|platform|type)\(/,
    ],
    ['process.config or the report', /process\.(config|report)\b/],
  ])('never asks which machine it runs on: %s', (_where, pattern) => {
    expect(filesWith(pattern)).toEqual([]);
  });

  test('names what the local stack stands on in its configuration alone', () => {
    expect(filesWith(/AWS_ENDPOINT_URL_\w+/).filter((file) => !file.startsWith('test/'))).toEqual([
      'lib/local/configuration.ts',
    ]);
  });
});

interface Package {
  version?: string;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
  hasInstallScript?: boolean;
}

const packages: Record<string, Package> = lock.packages;
const installed = (name: string) => packages[`node_modules/${name}`];

/** Packages that have their binaries in packages of their own, one for each machine. */
const withBinaries = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) => {
  const binaries = Object.keys(optionalDependencies).flatMap((name) => installed(name) ?? []);
  return binaries.some(({ cpu }) => cpu) ? [{ name: path.replace(/^.*node_modules\//, ''), binaries }] : [];
});

describe('the packages', () => {
  test('are the same for every machine, as far as we name them', () => {
    expect(Object.keys(manifest)).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(optional|peer)Dep/)]));
    const named = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(named.filter((name) => installed(name)?.os || installed(name)?.cpu)).toEqual([]);
  });

  test('with binaries are those we know of', () => {
    const names = withBinaries.map(({ name }) => name).sort();
    expect(names).toEqual([
      '@biomejs/biome',
      'esbuild',
      'lightningcss',
      'oxc-parser',
      'oxc-resolver',
      'rolldown',
      'typescript',
    ]);
  });

  const machines = [
    ['linux', 'x64'],
    ['linux', 'arm64'],
    ['darwin', 'x64'],
    ['darwin', 'arm64'],
  ] as const;

  test.each(withBinaries)(
    'contain the binary of $name for Linux and macOS on both CPUs, in the same version',
    (one) => {
      for (const [system, processor] of machines) {
        const fitting = one.binaries.filter(
          ({ os, cpu, libc }) => os?.includes(system) && cpu?.includes(processor) && (!libc || libc.includes('glibc')),
        );
        expect(fitting.map(({ version }) => version)).toEqual([installed(one.name)!.version]);
      }
    },
  );

  test('are all in the lockfile, those for other machines too: npm ci refuses it otherwise', () => {
    const missing = withBinaries.flatMap(({ name }) =>
      Object.keys(installed(name)!.optionalDependencies ?? {}).filter((binary) => !installed(binary)),
    );
    expect(missing).toEqual([]);
  });

  test('contain rolldown once, in the version of its binaries', () => {
    const versions = Object.entries(packages).filter(([path]) => path.endsWith('node_modules/rolldown'));
    expect(versions.map(([, { version }]) => version)).toEqual([manifest.overrides.rolldown]);
  });

  test('may run their install scripts or may not: Node.js and esbuild get their binaries by them', () => {
    const scripts = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript);
    const names = scripts.map(([path]) => path.replace(/^.*node_modules\//, ''));
    // fsevents is built on a Mac only, and vite does without it.
    expect(names.filter((name) => name !== 'fsevents').sort()).toEqual(Object.keys(manifest.allowScripts).sort());
    expect(manifest.allowScripts).toMatchObject({ node: true, esbuild: true });
  });
});
