import type { sessions } from '#schemas/families/sessions.ts';
import type { Answer, Api } from './client.ts';
import { cookieIn, logIn } from './sessions.ts';

/** Every operation of the family once. */
export async function tourOfSessions(api: Api, key: string): Promise<Record<keyof typeof sessions, Answer>> {
  const createSession = await logIn(api, key);
  const headers = { cookie: cookieIn(createSession) };
  return {
    createSession,
    getSession: await api('GET', '/v1/sessions/current', { headers }),
    deleteSession: await api('DELETE', '/v1/sessions/current', { headers }),
  };
}
