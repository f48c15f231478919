import { ApiError } from '#schemas/client/index.ts';
import { type Call, client, failureOf, type OperationId } from './client.ts';

/** What an operation answers as a file for a spreadsheet. */
export async function readCsv<Id extends OperationId>(
  id: Id,
  { query, signal }: Pick<Call<Id>, 'query' | 'signal'>,
): Promise<string> {
  try {
    const path = client.address(id, { query });
    const answer = await client.send({ method: 'GET', path, headers: { accept: 'text/csv' }, signal });
    if (answer.status >= 400) throw new ApiError(answer);
    return answer.text;
  } catch (error) {
    throw await failureOf(error);
  }
}
