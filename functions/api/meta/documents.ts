import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Implementation, RawResponse } from '#platform/http/request.ts';
import type { meta } from '#schemas/families/meta.ts';

/** The build writes both documents next to the bundle. They are read at the first request. */
const documents = new Map<string, Promise<string>>();

function readBeside(name: string): Promise<string> {
  const document = documents.get(name) ?? readFile(join(import.meta.dirname, name), 'utf8');
  documents.set(name, document);
  return document;
}

const cached = { 'Cache-Control': 'public, max-age=300' };

export const getDescription: Implementation<typeof meta.getDescription> = async (): Promise<RawResponse> => ({
  content: await readBeside('openapi.json'),
  headers: cached,
});

export const getDocs: Implementation<typeof meta.getDocs> = async (): Promise<RawResponse> => ({
  content: await readBeside('docs.html'),
  headers: { ...cached, 'Content-Type': 'text/html; charset=utf-8', 'X-Frame-Options': 'DENY' },
});
