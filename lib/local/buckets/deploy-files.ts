import { readdir, readFile } from 'node:fs/promises';
import { extname, join, posix, sep } from 'node:path';
import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { matchesPattern } from '../iam/patterns.ts';
import type { StackTemplate } from '../template/template.ts';

/** The properties of the CDK's `BucketDeployment` that the local stack knows. */
interface Deployment {
  SourceObjectKeys: string[];
  DestinationBucketName: string;
  DestinationBucketKeyPrefix?: string;
  Exclude?: string[];
  Include?: string[];
  SystemMetadata?: { 'cache-control'?: string };
  Prune?: boolean;
}

/** Writes the files of the template's deployments to their buckets. What an earlier deployment wrote stays. */
export async function deployFiles(stack: StackTemplate, s3: S3Client): Promise<void> {
  for (const { logicalId, properties } of stack.resources('Custom::CDKBucketDeployment')) {
    const deployment = properties as unknown as Deployment;
    if (deployment.Prune !== false) throw new Error(`${logicalId}: the local stack deletes no files of a deployment.`);
    const folders = deployment.SourceObjectKeys.map(stack.assetFolder);
    await Promise.all(folders.map((folder) => deployFolder(folder, deployment, s3)));
  }
}

async function deployFolder(folder: string, deployment: Deployment, s3: S3Client): Promise<void> {
  const { DestinationBucketName: Bucket, DestinationBucketKeyPrefix = '', SystemMetadata = {} } = deployment;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  for (const file of files) {
    const path = file.slice(folder.length + 1).replaceAll(sep, '/');
    if (!isDeployed(path, deployment)) continue;
    await s3.send(
      new PutObjectCommand({
        Bucket,
        Key: posix.join(DestinationBucketKeyPrefix, path),
        Body: await readFile(file),
        ContentType: contentTypes[extname(file)] ?? 'binary/octet-stream',
        CacheControl: SystemMetadata['cache-control'],
      }),
    );
  }
}

/** As `aws s3 sync` decides: what is excluded can be included again. */
const isDeployed = (path: string, { Exclude = [], Include = [] }: Deployment): boolean =>
  Include.some((pattern) => matchesPattern(pattern, path)) || !Exclude.some((pattern) => matchesPattern(pattern, path));

const contentTypes: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};
