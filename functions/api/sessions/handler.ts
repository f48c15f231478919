import * as contract from 'contract:sessions';
import { authentication } from '#platform/http/authentication.ts';
import { serve } from '#platform/http/serve.ts';
import type { sessions } from '#schemas/families/sessions.ts';
import { createSession, deleteSession, getSession } from './sessions.ts';

export const handler = serve<typeof sessions>(contract, { createSession, getSession, deleteSession }, authentication);
