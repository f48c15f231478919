import { allOperations } from '#schemas/families/index.ts';
import type { Answer, Api } from './client.ts';
import { furtherPages, newRecordShop, pathIn, type RecordFamily, recordRequests } from './record-requests.ts';

/** Every operation of a family of records, with a second page and a far one, on a shop of its own. */
export async function tourOfRecords(family: RecordFamily, api: Api, key: string): Promise<Record<string, Answer>> {
  const shop = await newRecordShop(api, key);
  const answers: Record<string, Answer> = {};
  for (const [id, { path, ...call }] of Object.entries(recordRequests[family](shop))) {
    const { method } = allOperations.find((operation) => operation.id === id)!;
    answers[id] = await api(method, pathIn(shop.slug, path), { key, ...call });
  }
  const further = furtherPages[family];
  if (further) answers.secondPage = await api('GET', pathIn(shop.slug, further.path), { key, ...further });
  if (further) answers.farPage = await api('GET', pathIn(shop.slug, further.path), { key, query: { page: 100 } });
  return answers;
}
