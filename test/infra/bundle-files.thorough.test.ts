import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { pipelineNames } from '#schemas/catalogues/pipeline.ts';
import { familyNames } from '#schemas/families/index.ts';
import { testBundles } from '#test/kit/assembly.ts';

/** Most of a bundle is loaded late, by requests that few tests send. What the bundler broke in it would show only then. */
test.each([...familyNames, ...pipelineNames])('every file of the bundle of %s can be loaded', (name) => {
  const folder = join(testBundles(), name);
  const files = readdirSync(folder).filter((file) => file.endsWith('.mjs'));
  expect(files).toContain('index.mjs');
  const urls = files.map((file) => pathToFileURL(join(folder, file)).href);
  const script = `for (const url of ${JSON.stringify(urls)}) await import(url).catch((error) => console.log(url, error.stack));`;
  const env = {
    ...process.env,
    AWS_REGION: 'eu-central-1',
    POWERTOOLS_METRICS_NAMESPACE: 'test',
    POWERTOOLS_SERVICE_NAME: 'test',
  };
  expect(execFileSync(process.execPath, ['--input-type=module', '-e', script], { env, encoding: 'utf8' })).toBe('');
});
