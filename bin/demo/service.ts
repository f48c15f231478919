/** Calls the public API, and expects success. */
export interface Service {
  call<T = unknown>(method: string, path: string, body?: object): Promise<T>;
  /** A PNG of a shop. */
  upload(image_type: string, content: Buffer): Promise<{ url: string }>;
  /** The status of the answer, where any is fine. */
  statusOf(method: string, path: string, body?: object): Promise<number>;
  /** The same service, with paths below this one. */
  below(path: string): Service;
}

const maxWaitMs = 30_000;

export function openService(url: string, key: string): Service {
  const authorization = `Basic ${Buffer.from(key).toString('base64')}`;
  const send = (method: string, path: string, body?: object): Promise<Response> => {
    const isForm = body instanceof FormData;
    return fetch(url + path, {
      method,
      headers: { authorization, ...(body && !isForm && { 'content-type': 'application/json' }) },
      signal: AbortSignal.timeout(maxWaitMs),
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    });
  };
  const call = async <T>(method: string, path: string, body?: object) => {
    const response = await send(method, path, body);
    const text = await response.text();
    if (!response.ok) throw new Error(failure(`${method} ${path}`, response.status, text));
    return (text === '' ? undefined : JSON.parse(text)) as T;
  };
  const from = (root: string): Service => ({
    call: (method, path, body) => call(method, root + path, body),
    upload: (image_type, content) => {
      const form = new FormData();
      form.set('image_type', image_type);
      form.set('image', new Blob([new Uint8Array(content)], { type: 'image/png' }), 'picture.png');
      return call('POST', `${root}/images`, form);
    },
    statusOf: async (method, path, body) => {
      const response = await send(method, root + path, body);
      await response.arrayBuffer();
      return response.status;
    },
    below: (path) => from(root + path),
  });
  return from('');
}

/** In one line, in the words of the service. */
function failure(what: string, status: number, text: string): string {
  if (status === 401) return 'The key is wrong. Give that of the running service: --key USERNAME:SECRET';
  const { message = text, errors = [] } = parsed(text);
  const faults = errors.map(({ loc, msg }) => `${loc.join('.')} ${msg}`).join(', ');
  return `${what} answered ${status}: ${message} ${faults}`.replaceAll('\n', ' ').slice(0, 500).trim();
}

interface Refusal {
  message?: string;
  errors?: { loc: (string | number)[]; msg: string }[];
}

function parsed(text: string): Refusal {
  try {
    return JSON.parse(text) as Refusal;
  } catch {
    return {};
  }
}
