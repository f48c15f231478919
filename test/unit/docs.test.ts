import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { indexes, indexPartitions, partitions } from '#schemas/catalogues/table.ts';
import packageJson from '../../package.json' with { type: 'json' };

const root = fileURLToPath(new URL('../..', import.meta.url));

const isOthers = (path: string) => /(^|\/)(node_modules|cdk\.out|\.build|\.local|\.git)(\/|$)/.test(path);

const documents = ['**/*.md', '.github/**/*.{md,yml}']
  .flatMap((pattern) => globSync(pattern, { cwd: root, exclude: isOthers }))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

const textOf = (path: string) => documents.find((document) => document.path === path)!.text;

const withoutCode = (text: string) => text.replaceAll(/```[\s\S]*?```/g, '').replaceAll(/`[^`\n]*`/g, '');

const linksIn = (text: string) => [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!);

/** The anchor of a heading, as forges make it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const anchorsIn = (text: string) =>
  [...text.replaceAll(/```[\s\S]*?```/g, '').matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading!));

function isBroken(from: string, link: string): boolean {
  if (/^[a-z]+:/.test(link)) return false;
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? from : relative(root, join(root, dirname(from), path));
  if (!existsSync(join(root, target))) return true;
  if (anchor === undefined) return false;
  return (
    statSync(join(root, target)).isDirectory() || !anchorsIn(readFileSync(join(root, target), 'utf8')).includes(anchor)
  );
}

test('the documents exist at the places where readers look for them', () => {
  const folders = ['', 'schemas/', 'functions/', 'functions/pipeline/', 'lib/', 'test/', 'test/integration/costs/'];
  expect(documents.map(({ path }) => path)).toEqual(expect.arrayContaining(folders.map((one) => `${one}README.md`)));
});

test('every relative link leads to a file, and every anchor to a heading of it', () => {
  const broken = documents.flatMap(({ path, text }) =>
    linksIn(text)
      .filter((link) => isBroken(path, link))
      .map((link) => `${path}: ${link}`),
  );
  expect(broken).toEqual([]);
});

test('a document has 15 KB at most, so that somebody reads it', () => {
  const long = documents.filter(({ text }) => Buffer.byteLength(text) > 15 * 1024).map(({ path }) => path);
  expect(long).toEqual([]);
});

test('the README has 150 lines at most, and a decision has 40', () => {
  const lines = (text: string) => text.trimEnd().split('\n').length;
  expect(lines(textOf('README.md'))).toBeLessThanOrEqual(150);
  const decisions = documents.filter(({ path }) => path.startsWith('lib/decisions/'));
  expect(decisions.filter(({ text }) => lines(text) > 40).map(({ path }) => path)).toEqual([]);
});

test('no README has more than 15 KB, and that of the functions, which is read first, has 10 KB', () => {
  const limitOf = (path: string) => (path === 'functions/README.md' ? 10_000 : 15_000);
  const readmes = documents.filter(({ path }) => /(^|\/)README\.md$/.test(path));
  expect(readmes.filter(({ path, text }) => Buffer.byteLength(text) > limitOf(path)).map(({ path }) => path)).toEqual(
    [],
  );
});

test('every script that a document names exists', () => {
  const scripts = Object.keys(packageJson.scripts);
  const unknown = documents.flatMap(({ path, text }) =>
    [...text.matchAll(/npm run ([\w:-]+)/g)].flatMap(([, name]) =>
      scripts.includes(name!) ? [] : [`${path}: npm run ${name}`],
    ),
  );
  expect(unknown).toEqual([]);
});

test('the table of keys names every prefix, every index and the attributes of each index', () => {
  const [, keys] = textOf('functions/platform/table/README.md').split('## The keys of the table');
  const [section] = keys!.split('\n## ');
  const prefixes = [...Object.values(partitions), ...Object.values(indexPartitions).map(({ prefix }) => prefix)];
  expect(prefixes.filter((prefix) => !section!.includes(`\`${prefix}`))).toEqual([]);
  const names = Object.entries(indexes).flatMap(([index, { partition, sort }]) => [index, partition, sort]);
  expect(names.filter((name) => !section!.includes(`\`${name}\``))).toEqual([]);
});

test('every line of the sample test in test/README.md is a line of its test file', () => {
  const [, path, sample] = /\[orders\.test\.ts\]\(([^)]+)\):\n\n```ts\n([\s\S]*?)```/.exec(textOf('test/README.md'))!;
  const lines = readFileSync(join(root, 'test', path!), 'utf8').split('\n');
  expect(sample!.split('\n').filter((line) => !lines.includes(line))).toEqual([]);
});

test('.nvmrc selects the major version of Node.js that the scripts use', () => {
  const [major] = packageJson.devDependencies.node.split('.');
  expect(readFileSync(join(root, '.nvmrc'), 'utf8').trim()).toBe(major);
});
