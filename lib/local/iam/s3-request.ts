import { AwsError } from '../aws/aws-error.ts';
import type { Access } from './evaluate.ts';

export interface S3Request {
  method: string;
  /** Path and query as sent, path style: /bucket/key. */
  url: string;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

const objectActions: Record<string, Record<string, string>> = {
  '': { GET: 'GetObject', HEAD: 'GetObject', PUT: 'PutObject', POST: 'PutObject', DELETE: 'DeleteObject' },
  versionId: { GET: 'GetObjectVersion', HEAD: 'GetObjectVersion', DELETE: 'DeleteObjectVersion' },
  tagging: { GET: 'GetObjectTagging', PUT: 'PutObjectTagging', DELETE: 'DeleteObjectTagging' },
  acl: { GET: 'GetObjectAcl', PUT: 'PutObjectAcl' },
  attributes: { GET: 'GetObjectAttributes' },
  uploads: { POST: 'PutObject' },
  uploadId: {
    PUT: 'PutObject',
    POST: 'PutObject',
    DELETE: 'AbortMultipartUpload',
    GET: 'ListMultipartUploadParts',
  },
};

const bucketActions: Record<string, Record<string, string>> = {
  '': { GET: 'ListBucket', HEAD: 'ListBucket', PUT: 'CreateBucket', DELETE: 'DeleteBucket' },
  versions: { GET: 'ListBucketVersions' },
  versioning: { PUT: 'PutBucketVersioning' },
  uploads: { GET: 'ListBucketMultipartUploads' },
  location: { GET: 'GetBucketLocation' },
  lifecycle: { GET: 'GetLifecycleConfiguration', PUT: 'PutLifecycleConfiguration' },
};

/** The permissions that an S3 request needs. A request that is not known here needs `s3:Unknown`, which nobody has. */
export function s3Accesses(request: S3Request): Access[] {
  // Not parsed as a URL, because that would resolve dot segments, and the check must use the same key as the request.
  const [path = '', query = ''] = request.url.split('?', 2);
  const parameters = new URLSearchParams(query);
  const [bucket = '', ...rest] = path.slice(1).split('/');
  const key = decodeUri(rest.join('/'));
  if (bucket === '') return [{ action: 's3:ListAllMyBuckets', resource: '*', context: {} }];
  if (key !== '') return objectAccesses(request, parameters, bucket, key);
  if (request.method === 'POST' && parameters.has('delete')) return deletedObjects(request.body, bucket);
  return [
    {
      action: actionOf(bucketActions, parameters, request.method),
      resource: bucketArn(bucket),
      context: listing(parameters),
    },
  ];
}

export function decodeUri(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new AwsError('InvalidURI', "Couldn't parse the specified URI.");
  }
}

function objectAccesses(request: S3Request, parameters: URLSearchParams, bucket: string, key: string): Access[] {
  const action = actionOf(objectActions, parameters, request.method);
  const accesses: Access[] = [{ action, resource: `${bucketArn(bucket)}/${key}`, context: {} }];
  const source = request.headers['x-amz-copy-source'];
  if (typeof source === 'string') {
    const path = decodeUri(source.replace(/^\//, '').replace(/\?.*$/, ''));
    accesses.push({ action: 's3:GetObject', resource: `arn:aws:s3:::${path}`, context: {} });
  }
  if (request.headers['x-amz-tagging']) accesses.push({ ...accesses[0]!, action: 's3:PutObjectTagging' });
  if (request.headers['x-amz-acl']) accesses.push({ ...accesses[0]!, action: 's3:PutObjectAcl' });
  return accesses;
}

function actionOf(
  actions: Record<string, Record<string, string>>,
  parameters: URLSearchParams,
  method: string,
): string {
  const subresource = Object.keys(actions).find((name) => name !== '' && parameters.has(name)) ?? '';
  return `s3:${actions[subresource]?.[method] ?? 'Unknown'}`;
}

function deletedObjects(body: string, bucket: string): Access[] {
  const keys = [...body.matchAll(/<Key>([^<]*)<\/Key>/g)].map((match) => unescapeXml(match[1] ?? ''));
  return keys.map((key) => ({ action: 's3:DeleteObject', resource: `${bucketArn(bucket)}/${key}`, context: {} }));
}

function listing(parameters: URLSearchParams): Record<string, string[]> {
  const context: Record<string, string[]> = {};
  for (const name of ['prefix', 'delimiter', 'max-keys']) {
    const value = parameters.get(name);
    if (value !== null) context[`s3:${name}`] = [value];
  }
  return context;
}

function bucketArn(bucket: string): string {
  return `arn:aws:s3:::${bucket}`;
}

function unescapeXml(text: string): string {
  const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
  return text.replace(/&(lt|gt|quot|apos|amp);/g, (_match, name: string) => entities[name] ?? '');
}
