import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundleEntry } from '#lib/bundling/bundle.ts';
import { familyNames } from '#schemas/index.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bundles-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe.each(familyNames)('the bundle of %s', (family) => {
  let metafile: Metafile;
  beforeAll(async () => {
    metafile = (await bundleEntry(`functions/${family}/handler.ts`, join(folder, family))).metafile!;
  });

  test.each([
    ["ajv's compiler", /node_modules\/ajv\/dist\/(compile|core|ajv|vocabularies)/],
    ['a schema library', /node_modules\/typebox\//],
    ['the CDK', /node_modules\/(aws-cdk-lib|constructs)\//],
    ['the local stack', /^lib\//],
    ['credential providers that Lambda does not use', /credential-provider-(ini|sso|process|web-identity)\//],
  ])('holds nothing of %s', (_, forbidden) => {
    expect(Object.keys(metafile.inputs).filter((file) => forbidden.test(file))).toEqual([]);
  });

  test('loads no other AWS client than that of the table at start', () => {
    const entry = Object.entries(metafile.outputs).find(([file]) => file.endsWith('/index.mjs'))![1];
    const clients = Object.keys(entry.inputs).filter((file) => /@aws-sdk\/client-(?!dynamodb)/.test(file));
    expect(clients).toEqual([]);
  });
});

test('the function without credentials to check has no AWS client at all', async () => {
  const { metafile } = await bundleEntry('functions/meta/handler.ts', join(folder, 'meta-alone'));
  expect(Object.keys(metafile!.inputs).filter((file) => file.includes('@aws-sdk/'))).toEqual([]);
});
