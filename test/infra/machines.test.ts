import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import lock from '../../package-lock.json' with { type: 'json' };

/** The service works alike on every machine, and its packages can be installed there. */

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
  ])('never reads the kind of its machine from %s', (_where, pattern) => {
    expect(filesWith(pattern)).toEqual([]);
  });

  test('names the emulators of the local stack only in its configuration', () => {
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

/** Packages that have their binaries in separate packages, one for each machine. */
const withBinaries = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) => {
  const binaries = Object.keys(optionalDependencies).flatMap((name) => installed(name) ?? []);
  return binaries.some(({ cpu }) => cpu) ? [{ name: path.replace(/^.*node_modules\//, ''), binaries }] : [];
});

describe('the packages', () => {
  test('that we name are the same for every machine', () => {
    expect(Object.keys(manifest)).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(optional|peer)Dep/)]));
    const named = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(named.filter((name) => installed(name)?.os || installed(name)?.cpu)).toEqual([]);
  });

  test('with binaries are the known ones', () => {
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

  test.each(withBinaries)(
    'contain the binary of $name for Linux on both CPUs, in the same version',
    ({ name, binaries }) => {
      for (const wanted of ['x64', 'arm64']) {
        const fitting = binaries.filter(
          ({ os, cpu, libc }) => os?.includes('linux') && cpu?.includes(wanted) && (!libc || libc.includes('glibc')),
        );
        expect(fitting.map(({ version }) => version)).toEqual([installed(name)!.version]);
      }
    },
  );

  test('do not depend on the CPU of a Mac', () => {
    for (const { name, binaries } of withBinaries) {
      const cpus = binaries.filter(({ os }) => os?.includes('darwin')).flatMap(({ cpu = [] }) => cpu);
      expect({ name, cpus: [0, 2].includes(cpus.length) }).toEqual({ name, cpus: true });
    }
  });

  test('contain rolldown once, in the version of its binaries', () => {
    const versions = Object.entries(packages).filter(([path]) => path.endsWith('node_modules/rolldown'));
    expect(versions.map(([, { version }]) => version)).toEqual([manifest.overrides.rolldown]);
  });

  test('are each listed with whether their install scripts may run, which Node.js and esbuild need', () => {
    const scripts = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript);
    const names = scripts.map(([path]) => path.replace(/^.*node_modules\//, ''));
    // fsevents is built on a Mac only, and vite works without it.
    expect(names.filter((name) => name !== 'fsevents').sort()).toEqual(Object.keys(manifest.allowScripts).sort());
    expect(manifest.allowScripts).toMatchObject({ node: true, esbuild: true });
  });
});
