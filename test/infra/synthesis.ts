import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { ProbeStack } from '#lib/probe-stack.ts';
import { ServiceStack } from '#lib/service-stack.ts';
import type { Stage } from '#lib/stage.ts';
import { pipelineNames } from '#schemas/catalogues/pipeline.ts';
import { familyNames } from '#schemas/families/index.ts';
import cdk from '../../cdk.json' with { type: 'json' };

export interface Resource {
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: a template is JSON whose shape differs by type.
  readonly Properties: any;
  readonly DependsOn?: readonly string[];
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
}

export interface Template {
  readonly Resources: Record<string, Resource>;
  readonly Outputs: Record<string, { readonly Value: unknown }>;
}

const folder = mkdtempSync(join(process.env.TEST_SYNTHESES ?? tmpdir(), 'infra-'));
// Outside of vitest, for the record of a release.
if (!process.env.TEST_SYNTHESES) process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

// CloudFormation's own rules take two seconds for each synthesis; the test of the command line applies them once.
process.env.CDK_VALIDATION = 'false';

export const newFolder = (prefix: string): string => mkdtempSync(join(folder, prefix));

export function newApp(): App {
  return new App({ context: cdk.context, outdir: newFolder('assembly-') });
}

/** The stack with empty bundles, because other tests run the functions. */
export function newStack(stage: Stage = {}, id = 'Service'): { app: App; stack: ServiceStack } {
  const app = newApp();
  return { app, stack: new ServiceStack(app, id, { stage, bundles: emptyBundles() }) };
}

export function synthesize(stage: Stage = {}, id?: string): Template {
  const { app, stack } = newStack(stage, id);
  return app.synth().getStackByName(stack.stackName).template;
}

export const certificateArn = 'arn:aws:acm:us-east-1:111122223333:certificate/of-the-domain';

/** The stack that asks from outside, in its own region. */
export function newProbe(email?: string): { app: App; probe: ProbeStack } {
  const app = newApp();
  return { app, probe: new ProbeStack(app, 'Service-probe', { host: 'api.example.com', certificateArn, email }) };
}

export function synthesizeProbe(email?: string): Template {
  const { app, probe } = newProbe(email);
  return app.synth().getStackByName(probe.stackName).template;
}

export function emptyBundles(): string {
  const bundles = join(folder, 'bundles');
  for (const name of [...familyNames, ...pipelineNames]) {
    mkdirSync(join(bundles, name), { recursive: true });
    writeFileSync(join(bundles, name, 'index.mjs'), `export const handler = async () => '${name}';\n`);
  }
  mkdirSync(join(bundles, 'console', 'assets'), { recursive: true });
  writeFileSync(join(bundles, 'console', 'index.html'), '<!doctype html>');
  writeFileSync(join(bundles, 'console', 'assets', 'main-1.js'), '');
  return bundles;
}

export function resourcesOf(template: Template, ...types: string[]): [id: string, Resource][] {
  return Object.entries(template.Resources).filter(([, { Type }]) => types.includes(Type));
}

export function onlyResource(template: Template, type: string): Resource {
  const found = resourcesOf(template, type);
  if (found.length !== 1) throw new Error(`${found.length} resources of type ${type}`);
  return found[0]![1];
}

/** The logical ids of the API's functions, by family. */
export const functionIds = (template: Template) => idsOf(template, (name) => !isPipeline(name));

/** The logical ids of the functions behind the API, by name. */
export const pipelineIds = (template: Template) => idsOf(template, isPipeline);

const isPipeline = (name: string) => pipelineNames.some((known) => known === name);

function idsOf(template: Template, isMeant: (name: string) => boolean): Record<string, string> {
  const functions = resourcesOf(template, 'AWS::Lambda::Function').map(
    ([id, { Properties }]) =>
      [Properties.Environment.Variables.POWERTOOLS_SERVICE_NAME as string | undefined, id] as const,
  );
  // The function of the CDK that deploys the console has no such name.
  return Object.fromEntries(functions.filter(([name]) => name !== undefined && isMeant(name)));
}
