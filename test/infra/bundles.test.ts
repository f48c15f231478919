import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { metafileOf } from '#lib/bundling/bundle.ts';
import { dialectNames } from '#schemas/catalogues/integration-targets.ts';
import { pipelineNames } from '#schemas/catalogues/pipeline.ts';
import { trackingProviders } from '#schemas/catalogues/tracking-providers.ts';
import { familyNames } from '#schemas/families/index.ts';
import { testBundles } from '#test/kit/assembly.ts';
import { loadedAtStart } from '#test/kit/loaded-at-start.ts';

const metafileIn = (name: string): Metafile => JSON.parse(readFileSync(metafileOf(join(testBundles(), name)), 'utf8'));

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

  test('loads only the AWS client of the table at start', () => {
    const clients = [...loadedAtStart(metafile).modules.keys()].flatMap(
      (file) => /@aws-sdk\/client-(?!dynamodb)(\w+)/.exec(file)?.[1] ?? [],
    );
    expect(clients).toEqual([]);
  });

  test('imports no module of Node at start whose exports load worker threads, WebSockets or the standard output', () => {
    const names = [...loadedAtStart(metafile).externals].map((name) => name.replace('node:', ''));
    expect(names.filter((name) => ['http', 'util', 'fs', 'fs/promises', 'process'].includes(name))).toEqual([]);
  });

  test('contains of undici only what calls need', () => {
    const unused = /node_modules\/undici\/(index|lib\/(mock|cache|interceptor|web\/websocket)\/)/;
    expect(Object.keys(metafile.inputs).filter((file) => unused.test(file))).toEqual([]);
  });

  test('contains connectors of tracking providers only where they are used, and loads none of them at start', () => {
    const connector = new RegExp(`domain/tracking-providers/(${trackingProviders.join('|')})\\.ts$`);
    const connectors = Object.keys(metafile.inputs).flatMap((file) => connector.exec(file)?.[1] ?? []);
    const usesThem = ['tracking-providers', 'tracking-registration'].includes(name);
    expect(connectors.sort()).toEqual(usesThem ? [...trackingProviders].sort() : []);
    const atStart = [...loadedAtStart(metafile).modules.keys()];
    expect(atStart.filter((file) => connector.test(file))).toEqual([]);
  });
});

test('the function that checks no credentials has no AWS client at all', () => {
  expect(Object.keys(metafileIn('meta').inputs).filter((file) => file.includes('@aws-sdk/'))).toEqual([]);
});

test('the code of vendors is in the functions that call them only, and not in what these load at start', () => {
  const vendors = dialectNames.filter((name) => name !== 'service').join('|');
  const isVendor = (file: string) => new RegExp(`functions/domain/vendors/(${vendors})\\b`).test(file);
  const holders = [...familyNames, ...pipelineNames].filter((name) =>
    Object.keys(metafileIn(name).inputs).some(isVendor),
  );
  expect(holders).toEqual(['delivery', 'segments']);
  for (const name of holders) {
    const atStart = [...loadedAtStart(metafileIn(name)).modules.keys()];
    expect(atStart.filter(isVendor)).toEqual([]);
  }
});
