import type { Caller } from '#platform/access/caller.ts';
import { invalid } from '#platform/http/api-error.ts';
import { type ReadPart, walk } from './list-walk.ts';
import { keepStartOfPage, listName, startOfPage } from './pages.ts';

interface PageRequest {
  caller: Caller;
  query: { page: number; per_page: number };
  now: Date;
}

/** The page of a list that a request asks for. `name` and the filters tell the list from others. */
export async function pageOf<T>({ caller, query, now }: PageRequest, name: string, read: ReadPart<T>): Promise<T[]> {
  const { page, per_page: size } = query;
  const place = { tokenId: caller.tokenId, list: listName(name, query), page };
  const after = (await startOfPage(place, now))?.after as string | undefined;
  const skip = after === undefined ? (page - 1) * size : 0;
  const { found, toSkip, next } = await walk(read, { after, skip, size });
  if (next !== undefined && toSkip > 0) throw tooFarBack();
  if (next !== undefined) await keepStartOfPage({ ...place, page: page + 1 }, { after: next }, now);
  return found;
}

const tooFarBack = () =>
  invalid({
    loc: ['query', 'page'],
    msg: 'is too far back to count to: read the pages before it first, or narrow the filters',
    type: 'value_error',
  });
