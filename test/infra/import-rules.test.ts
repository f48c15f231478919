import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const forbidden = [
  ['schemas/a.ts', '#shared/keys.ts', 'schemas import nothing of ours'],
  ['schemas/b.ts', '../functions/shared/keys.ts', 'schemas import nothing of ours'],
  ['functions/orders/a.ts', '#lib/service-stack.ts', 'synth time only'],
  ['functions/orders/b.ts', 'aws-cdk-lib', 'synth time only'],
  ['functions/orders/c.ts', '../shops/shop-store.ts', 'nothing of another family'],
  ['functions/orders/d.ts', '#functions/shops/shop-store.ts', 'nothing of another family'],
  ['functions/orders/e.ts', 'typebox', 'compiled at build time'],
  ['functions/orders/f.ts', 'ajv', 'compiled at build time'],
  ['lib/constructs/a.ts', '#shared/keys.ts', 'it does not import them'],
] as const;

const allowed = [
  ['functions/orders/g.ts', '#shared/keys.ts'],
  ['functions/orders/h.ts', '#schemas/errors.ts'],
  ['functions/orders/i.ts', './store.ts'],
  ['lib/constructs/b.ts', '#schemas/table.ts'],
] as const;

const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome');
let folder: string;
let findings: { location: { path: string }; message: string; advices: unknown }[];

/** The rules stand in biome.json: here they are put to a tree that breaks each of them once. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'imports-'));
  cpSync('biome.json', join(folder, 'biome.json'));
  for (const [file, imported] of [...forbidden, ...allowed]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), `import x from '${imported}';\n\nconsole.log(x);\n`);
  }
  const options = ['lint', '--vcs-enabled=false', '--max-diagnostics=none', '--reporter=json', '.'];
  const { stdout } = spawnSync(process.execPath, [biome, ...options], { cwd: folder, encoding: 'utf8' });
  findings = JSON.parse(stdout).diagnostics.filter(({ category }: { category: string }) =>
    category.includes('noRestrictedImports'),
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

const about = (file: string) => findings.filter(({ location }) => JSON.stringify(location).includes(file));

test.each(forbidden)('%s may not import %s', (file, _, reason) => {
  expect(JSON.stringify(about(file))).toContain(reason);
});

test.each(allowed)('%s may import %s', (file) => {
  expect(about(file)).toEqual([]);
});
