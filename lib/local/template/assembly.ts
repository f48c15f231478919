import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Resource {
  Type: string;
  Properties?: Record<string, unknown>;
  Condition?: string;
}

export interface Template {
  Resources: Record<string, Resource>;
  Outputs?: Record<string, { Value: unknown; Condition?: string }>;
  Parameters?: Record<string, { Type: string; Default?: unknown }>;
  Conditions?: Record<string, unknown>;
}

export interface Assembly {
  stackName: string;
  template: Template;
  /** The folder of the asset with this S3 key in the template. */
  assetFolder(s3Key: string): string;
}

interface Manifest {
  artifacts: Record<
    string,
    { type: string; properties?: { templateFile?: string; file?: string; stackName?: string } }
  >;
}

interface AssetManifest {
  files?: Record<string, { source: { path: string }; destinations: Record<string, { objectKey: string }> }>;
}

export function readAssembly(folder: string): Assembly {
  if (!existsSync(join(folder, 'manifest.json'))) throw new Error(`${folder} is not the output of cdk synth.`);
  const manifest = readJson<Manifest>(join(folder, 'manifest.json'));
  const artifacts = Object.entries(manifest.artifacts);
  const stacks = artifacts.filter(([, artifact]) => artifact.type === 'aws:cloudformation:stack');
  const [stack] = stacks;
  if (!stack || stacks.length > 1) {
    throw new Error(`${folder} contains ${stacks.length} stacks. The local stack can run only one.`);
  }
  const [id, artifact] = stack;
  const template = readJson<Template>(join(folder, artifact.properties?.templateFile ?? `${id}.template.json`));
  const assetPaths = new Map<string, string>();
  for (const [, { type, properties }] of artifacts) {
    if (type === 'cdk:asset-manifest' && properties?.file) {
      collectAssets(readJson<AssetManifest>(join(folder, properties.file)), assetPaths);
    }
  }
  return {
    stackName: artifact.properties?.stackName ?? id,
    template,
    assetFolder: (s3Key) => join(folder, assetPaths.get(s3Key) ?? `asset.${s3Key.replace(/\.zip$/, '')}`),
  };
}

function collectAssets(manifest: AssetManifest, assetPaths: Map<string, string>): void {
  for (const file of Object.values(manifest.files ?? {})) {
    for (const { objectKey } of Object.values(file.destinations)) assetPaths.set(objectKey, file.source.path);
  }
}

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(file, 'utf8')) as T;
}
