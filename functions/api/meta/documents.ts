import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceError } from '#platform/errors.ts';
import type { Implementation, RawResponse } from '#platform/http/request.ts';
import type { meta } from '#schemas/families/meta.ts';

/** The build writes the documents next to the bundle. Each is read at its first request. */
const documents = new Map<string, string>();

async function readBeside(name: string): Promise<string> {
  const document = documents.get(name) ?? (await readFile(join(import.meta.dirname, name), 'utf8'));
  documents.set(name, document);
  return document;
}

const cached = { 'Cache-Control': 'public, max-age=300' };

export const getDescription: Implementation<typeof meta.getDescription> = async (): Promise<RawResponse> => ({
  content: await readBeside('openapi.json'),
  headers: cached,
});

export const getDocs: Implementation<typeof meta.getDocs> = ({ serviceUrl }) => docsPage('start', serviceUrl);

export const getDocsPage: Implementation<typeof meta.getDocsPage> = async (request) => {
  const { params, headers, serviceUrl } = request;
  try {
    // Nothing else can be the name of a file of ours, or leads out of the folder.
    if (!/^[a-z-]{1,40}$/.test(params.page)) throw new ServiceError('route_not_found');
    return await docsPage(params.page, serviceUrl);
  } catch (error) {
    // A program reads the error as of any operation. A person who followed a wrong link sees where to go on.
    const isSeen = headers.accept?.includes('text/html') && error instanceof ServiceError;
    if (!isSeen) throw error;
    return { ...(await docsPage('not-found', serviceUrl)), status: 404 };
  }
};

async function docsPage(name: string, serviceUrl: string): Promise<RawResponse> {
  const page = await readBeside(`docs-${name}.html`).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new ServiceError('route_not_found') : error;
  });
  return {
    // Examples run as they stand, so they name the service that shows them.
    content: page.replaceAll('{{base}}', serviceUrl),
    headers: { ...cached, 'Content-Type': 'text/html; charset=utf-8', 'X-Frame-Options': 'DENY' },
  };
}
