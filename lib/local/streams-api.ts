import type { Emulator } from './dynamodb-process.ts';
import { account, region } from './physical-names.ts';

/** DynamoDB Streams in its own JSON, which is nearly what a function gets to see. Throws errors under AWS's names. */
export type StreamsApi = <T>(operation: string, input: object) => Promise<T>;

export function streamsApi({ endpoint, inProcess }: Pick<Emulator, 'endpoint' | 'inProcess'>): StreamsApi {
  return async <T>(operation: string, input: object) => {
    const target = `DynamoDBStreams_20120810.${operation}`;
    if (!inProcess) return request<T>(endpoint, target, input);
    try {
      return inProcess.perform(target, input) as T;
    } catch (error) {
      const { type = 'InternalServerError', message } = error as Error & { type?: string };
      throw named(type, message);
    }
  };
}

const timeout = 10_000;

async function request<T>(endpoint: string, target: string, input: object): Promise<T> {
  const answer = await fetch(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': target, authorization },
    body: JSON.stringify(input),
    signal: AbortSignal.timeout(timeout),
  });
  const content = (await answer.json()) as { __type?: string; message?: string; Message?: string };
  if (answer.ok) return content as T;
  throw named(content.__type ?? '', content.message ?? content.Message ?? '');
}

/** No emulator checks the signature; some want to see one. */
const authorization = `AWS4-HMAC-SHA256 Credential=local/${account}/${region}/dynamodb/aws4_request, SignedHeaders=host, Signature=none`;

const named = (type: string, message: string) => Object.assign(new Error(message), { name: type.split('#').at(-1)! });
