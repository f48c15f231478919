import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openApiDescription } from '#schemas/description/openapi.ts';

/** What merchants' developers do with the description: check it, and generate types from it. */

const source = JSON.stringify(openApiDescription());

test('a common linter has nothing to say about the description', async () => {
  // A form answers with a redirect, which is its success.
  const config = await createConfig({ extends: ['recommended'], rules: { 'operation-2xx-response': 'off' } });
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
  expect(problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)).toEqual([]);
});

// The generator imports `typescript` as a library, which version 7 is not any more.
const library = new URL('../../kit/typescript-api.ts', import.meta.url).href;
const hooks = registerHooks({
  resolve: (name, context, next) =>
    name === 'typescript' && context.parentURL?.includes('/openapi-typescript/')
      ? { url: library, shortCircuit: true }
      : next(name, context),
});
afterAll(() => hooks.deregister());

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'generated-types-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('a common generator makes types that compile, without a warning', async () => {
  const said = (['warn', 'error', 'log'] as const).map((level) => vi.spyOn(console, level).mockReturnValue());
  const { default: openapiTS, astToString } = await import('openapi-typescript');
  const types = astToString(await openapiTS(source));
  expect(said.flatMap((spy) => spy.mock.calls)).toEqual([]);
  vi.restoreAllMocks();
  await writeFile(join(folder, 'api.ts'), types);
  await writeFile(join(folder, 'use.ts'), use);
  await expect(compile(join(folder, 'use.ts'))).resolves.toBe('');
  await writeFile(join(folder, 'use.ts'), use.replace("'10482'", '10482'));
  await expect(compile(join(folder, 'use.ts'))).resolves.toContain('not assignable');
}, 60_000);

const use = `
import type { operations } from './api.ts';
type Body<Id extends keyof operations> = operations[Id] extends { requestBody: { content: { 'application/json': infer B } } } ? B : never;
export const upsert: Body<'upsertOrder'> = { id: '10482', id_type: 'order_number', trackings: [] };
export const settings: Body<'updateTriggerSettings'> = { status: true, portal_id: 'a' };
`;

/** What the compiler says. */
async function compile(file: string): Promise<string> {
  const options = ['--strict', '--noEmit', '--ignoreConfig', '--allowImportingTsExtensions', '--skipLibCheck', 'false'];
  const tsc = resolve(import.meta.dirname, '../../../node_modules/.bin/tsc');
  const run = promisify(execFile)(tsc, [...options, '--types', '', '--module', 'nodenext', file], { timeout: 50_000 });
  return run.then(
    ({ stdout }) => stdout,
    ({ stdout }) => stdout,
  );
}
