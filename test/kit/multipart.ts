/** A text, or a file with the name and type that its sender gives it. */
export type Part = string | { bytes: Uint8Array; filename?: string; type?: string };

const boundary = '----a-boundary-of-tests';

/** A form as a browser sends it. A name may come more than once. */
export function multipart(...parts: [name: string, part: Part][]): { body: Buffer; headers: Record<string, string> } {
  const written = parts.flatMap(([name, part]) => [
    Buffer.from(`--${boundary}\r\n${head(name, part)}\r\n\r\n`),
    ...content(part),
  ]);
  return {
    body: Buffer.concat([...written, Buffer.from(`--${boundary}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  };
}

function head(name: string, part: Part): string {
  const disposition = `Content-Disposition: form-data; name="${name}"`;
  if (typeof part === 'string') return disposition;
  const { filename, type = 'application/octet-stream' } = part;
  return `${disposition}${filename === undefined ? '' : `; filename="${filename}"`}\r\nContent-Type: ${type}`;
}

const content = (part: Part) => [Buffer.from(typeof part === 'string' ? part : part.bytes), Buffer.from('\r\n')];

/** The form of an upload. */
export const upload = (imageType: string, bytes: Uint8Array, filename = 'image') =>
  multipart(['image_type', imageType], ['image', { bytes, filename }]);
