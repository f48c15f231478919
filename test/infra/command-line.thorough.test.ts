import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testBundles } from '#test/kit/assembly.ts';

const root = resolve(import.meta.dirname, '../..');
const binaries = join(root, 'node_modules/.bin');
const folder = mkdtempSync(join(tmpdir(), 'synth-'));
const output = join(folder, 'cdk.out');

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('cdk synth', () => {
  let printed: string;

  beforeAll(async () => {
    const { CDK_VALIDATION, ...environment } = process.env;
    const { stdout, stderr } = await promisify(execFile)(
      join(binaries, 'cdk'),
      [
        ...['synth', '--quiet', '-o', output],
        ...['-c', 'stage=prod', '-c', `bundles=${testBundles()}`, '-c', 'bundled=true'],
      ],
      { cwd: root, env: { ...environment, PATH: binaries + delimiter + environment.PATH }, timeout: 200_000 },
    );
    printed = stdout + stderr;
  });

  test('ends without an error or a warning of the app or of CloudFormation’s own rules, but says which settings are missing', () => {
    const said = printed.split('\n').filter((line) => /error|warning/i.test(line));
    expect(said).toEqual([
      expect.stringMatching(/^WARNING Nobody is told .*: set alarmEmail in lib\/stages\/prod\.ts\./),
      expect.stringMatching(/^WARNING The mark of the origin .*: set distributionMarks in lib\/stages\/prod\.ts\./),
    ]);
    const { pluginReports } = JSON.parse(readFileSync(join(output, 'validation-report.json'), 'utf8'));
    const violations = pluginReports.flatMap((report: { violations: { ruleName: string }[] }) => report.violations);
    expect(violations.map(({ ruleName }: { ruleName: string }) => ruleName)).toEqual([
      'Annotation::post-purchase:alarmEmail',
      'Annotation::post-purchase:distributionMarks',
    ]);
  });

  test('writes a template that CloudFormation accepts: under 1 MB and 500 resources', () => {
    const template = readFileSync(join(output, 'PostPurchase-prod.template.json'), 'utf8');
    expect(Buffer.byteLength(template)).toBeLessThan(1_000_000);
    expect(Object.keys(JSON.parse(template).Resources).length).toBeLessThan(500);
  });

  test('needs nothing from an account: no lookup and no image to build', () => {
    const manifest = JSON.parse(readFileSync(join(output, 'manifest.json'), 'utf8'));
    expect(manifest.missing ?? []).toEqual([]);
    const assets = JSON.parse(readFileSync(join(output, 'PostPurchase-prod.assets.json'), 'utf8'));
    expect(assets.dockerImages ?? {}).toEqual({});
  });
});
