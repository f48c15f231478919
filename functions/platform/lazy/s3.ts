import {
  DeleteObjectCommand,
  type DeleteObjectCommandInput,
  GetObjectCommand,
  type GetObjectCommandInput,
  PutObjectCommand,
  type PutObjectCommandInput,
  S3Client,
} from '@aws-sdk/client-s3';
import { clientOptions } from '#platform/aws-client.ts';

const client = new S3Client(clientOptions);

export const putObject = (object: PutObjectCommandInput) => client.send(new PutObjectCommand(object));
export const deleteObject = (object: DeleteObjectCommandInput) => client.send(new DeleteObjectCommand(object));

export async function getObject(object: GetObjectCommandInput): Promise<Uint8Array> {
  const { Body } = await client.send(new GetObjectCommand(object));
  return Body!.transformToByteArray();
}
