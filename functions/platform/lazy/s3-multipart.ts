import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { clientOptions } from '#platform/aws-client.ts';

const client = new S3Client(clientOptions);

/** An upload of one object in parts. */
export interface Upload {
  Bucket: string;
  Key: string;
  UploadId: string;
}

export async function beginUpload(object: Omit<Upload, 'UploadId'>): Promise<Upload> {
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(object));
  return { ...object, UploadId: UploadId! };
}

/** The same part again takes the place of the one before. @param number from 1 @returns its tag */
export async function uploadPart(upload: Upload, number: number, Body: Uint8Array): Promise<string> {
  const { ETag } = await client.send(new UploadPartCommand({ ...upload, PartNumber: number, Body }));
  return ETag!;
}

/** @param tags of all parts, in their order */
export async function endUpload(upload: Upload, tags: readonly string[]): Promise<void> {
  const Parts = tags.map((ETag, i) => ({ ETag, PartNumber: i + 1 }));
  await client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }));
}

/** An upload that has ended, or is gone, does no harm. */
export async function dropUpload(upload: Upload): Promise<void> {
  await client.send(new AbortMultipartUploadCommand(upload)).catch((error: Error) => {
    if (error.name !== 'NoSuchUpload') throw error;
  });
}
