import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const forbidden = [
  ['schemas/families/a.ts', '#platform/table/keys.ts', 'schemas import nothing of ours'],
  ['schemas/families/b.ts', '#platform/table/keys.ts', 'schemas import nothing of ours'],
  ['functions/platform/table/a.ts', '#domain/orders/model.ts', 'platform knows no domain'],
  ['functions/platform/table/b.ts', '../../domain/orders/model.ts', 'platform knows no domain'],
  ['functions/platform/c.ts', '#api/orders/handler.ts', 'platform knows no domain'],
  ['functions/platform/d.ts', '#lib/service-stack.ts', 'synth time only'],
  ['functions/platform/table/f.ts', '#platform/http/errors.ts', 'nothing below HTTP knows of it'],
  ['functions/platform/g.ts', './http/errors.ts', 'nothing below HTTP knows of it'],
  ['functions/domain/orders/f.ts', '#platform/http/errors.ts', 'nothing below HTTP knows of it'],
  ['functions/domain/orders/a.ts', '#api/orders/handler.ts', 'domain knows neither api nor pipeline'],
  ['functions/domain/orders/b.ts', '#pipeline/fan-out/handler.ts', 'domain knows neither api nor pipeline'],
  ['functions/domain/orders/c.ts', '../../api/orders/handler.ts', 'domain knows neither api nor pipeline'],
  ['functions/api/orders/a.ts', '#lib/service-stack.ts', 'synth time only'],
  ['functions/api/orders/b.ts', 'aws-cdk-lib', 'synth time only'],
  ['functions/api/orders/c.ts', '../shops/shop-store.ts', 'nothing of another one'],
  ['functions/api/orders/d.ts', '#api/shops/shop-store.ts', 'nothing of another one'],
  ['functions/api/orders/e.ts', 'typebox', 'compiled at build time'],
  ['functions/api/orders/f.ts', 'ajv', 'compiled at build time'],
  ['functions/pipeline/due/a.ts', '#pipeline/drain/drain.ts', 'nothing of another one'],
  ['functions/pipeline/due/b.ts', '#api/orders/handler.ts', 'nothing of another one'],
  ['lib/constructs/a.ts', '#platform/table/keys.ts', 'it does not import them'],
] as const;

const allowed = [
  ['schemas/families/c.ts', '../shapes/shapes.ts'],
  ['functions/platform/e.ts', '#schemas/catalogues/errors.ts'],
  ['functions/platform/http/a.ts', './errors.ts'],
  ['functions/domain/orders/d.ts', '#platform/table/keys.ts'],
  ['functions/domain/orders/e.ts', '#domain/claims/claim-rules.ts'],
  ['functions/api/orders/g.ts', '#domain/orders/model.ts'],
  ['functions/api/orders/h.ts', '#schemas/catalogues/errors.ts'],
  ['functions/api/orders/i.ts', './store.ts'],
  ['lib/constructs/b.ts', '#schemas/catalogues/table.ts'],
] as const;

const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome');
let folder: string;
let findings: { location: { path: string }; message: string; advices: unknown }[];

/** The rules are in biome.json; this tree breaks each of them once. */
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
