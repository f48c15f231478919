/** A customer's browser, as far as forms need one. It does not follow redirects. */

export interface Page {
  status: number;
  headers: Headers;
  text: string;
}

const answerLimit = 30_000;

export async function browse(address: string, init: RequestInit = {}): Promise<Page> {
  const response = await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(answerLimit), ...init });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

type Fields = Record<string, string | readonly string[]>;

const pairsOf = (fields: Fields) =>
  Object.entries(fields).flatMap(([name, values]) => [values].flat().map((value): [string, string] => [name, value]));

export const sendFields = (address: string, fields: Fields, headers: Record<string, string> = {}) =>
  browse(address, { method: 'POST', body: new URLSearchParams(pairsOf(fields)), headers });

/** With files, a browser sends the form in parts. */
export function sendFiles(address: string, fields: Fields, name: string, files: readonly Uint8Array<ArrayBuffer>[]) {
  const body = new FormData();
  for (const [field, value] of pairsOf(fields)) body.append(field, value);
  for (const bytes of files) body.append(name, new Blob([bytes]), 'photo.jpg');
  return browse(address, { method: 'POST', body });
}

/** The key that protects the form. Each opening of the form gets another one. */
export async function formKeyAt(address: string): Promise<string> {
  const { text } = await browse(address);
  const [, key] = /name="form_key" value="([^"]+)"/.exec(text) ?? [];
  if (!key) throw new Error(`There is no form at ${address}: ${text.slice(0, 500)}`);
  return key;
}
