import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { metafileOf } from '#lib/bundling/bundle.ts';
import { pipelineNames } from '#schemas/catalogues/pipeline.ts';
import { familyNames } from '#schemas/families/index.ts';
import { testBundles } from '#test/kit/assembly.ts';

const metafileIn = (name: string): Metafile => JSON.parse(readFileSync(metafileOf(join(testBundles(), name)), 'utf8'));

/** The services that a function exists to send to. */
const clientsBesideTheTable: Record<string, string[]> = { 'tracking-submission': ['sqs'] };

describe.each([...familyNames, ...pipelineNames])('the bundle of %s', (name) => {
  const metafile = metafileIn(name);

  test.each([
    ["ajv's compiler", /node_modules\/ajv\/dist\/(compile|core|ajv|vocabularies)/],
    ['a schema library', /node_modules\/typebox\//],
    ['the CDK', /node_modules\/(aws-cdk-lib|constructs)\//],
    ['the local stack', /^lib\//],
    ['credential providers that Lambda does not use', /credential-provider-(ini|sso|process|web-identity)\//],
  ])('does not contain %s', (_, forbidden) => {
    expect(Object.keys(metafile.inputs).filter((file) => forbidden.test(file))).toEqual([]);
  });

  test('loads only the AWS clients of the table and of its targets at start', () => {
    const entry = Object.entries(metafile.outputs).find(([file]) => file.endsWith('/index.mjs'))![1];
    const clients = Object.keys(entry.inputs).flatMap(
      (file) => /@aws-sdk\/client-(?!dynamodb)(\w+)/.exec(file)?.[1] ?? [],
    );
    expect([...new Set(clients)]).toEqual(clientsBesideTheTable[name] ?? []);
  });
});

test('the function that checks no credentials has no AWS client at all', () => {
  expect(Object.keys(metafileIn('meta').inputs).filter((file) => file.includes('@aws-sdk/'))).toEqual([]);
});

test('dialects are in the delivery function only, and not in what it loads at start', () => {
  const isDialect = (file: string) => /functions\/domain\/dialects\/\w+\/dialect\.ts$/.test(file);
  const holders = [...familyNames, ...pipelineNames].filter((name) =>
    Object.keys(metafileIn(name).inputs).some(isDialect),
  );
  expect(holders).toEqual(['delivery']);
  const { outputs } = metafileIn('delivery');
  const [, entry] = Object.entries(outputs).find(([file]) => file.endsWith('/index.mjs'))!;
  const shared = entry.imports.filter(({ kind }) => kind !== 'dynamic-import').map(({ path }) => outputs[path]);
  const loaded = [entry, ...shared].flatMap((output) => Object.keys(output?.inputs ?? {}));
  expect(loaded.filter(isDialect)).toEqual([]);
  expect(loaded).toContain('functions/pipeline/delivery/handler.ts');
});
