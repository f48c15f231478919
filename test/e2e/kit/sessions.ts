import { type Answer, type Api, basic } from './client.ts';

export const logIn = (api: Api, key: string, headers: Record<string, string> = {}): Promise<Answer> =>
  api('POST', '/v1/sessions', { headers: { authorization: basic(key), ...headers } });

/** The cookie that a browser sends after this answer. */
export const cookieIn = ({ headers }: Answer): string => headers.get('set-cookie')!.split(';')[0]!;
