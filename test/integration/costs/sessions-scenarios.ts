import { clientOf } from '#test/e2e/kit/client.ts';
import { cookieIn, logIn } from '#test/e2e/kit/sessions.ts';
import type { MeasuredShop } from './measured-shop.ts';
import type { Scenario } from './scenarios.ts';

const family = 'functions/api/sessions/sessions.ts';
const access = 'functions/platform/access/caller.ts';

const key = '`KEYS#username` / token id';
const session = '`SESSIONS#token id` / hash';

const begin = async ({ stack, operator }: MeasuredShop) => cookieIn(await logIn(clientOf(stack.url), operator));

const current = ({ stack }: MeasuredShop, method: string, cookie: string) =>
  clientOf(stack.url)(method, '/v1/sessions/current', { headers: { cookie } });

export const sessionScenarios: Scenario[] = [
  {
    operation: 'createSession',
    access: `${key}; put ${session}`,
    code: family,
    run: ({ stack, operator }) => logIn(clientOf(stack.url), operator),
  },
  {
    operation: 'getSession',
    access: `${key}, ${session}`,
    code: access,
    prepare: begin,
    run: (shop, cookie) => current(shop, 'GET', cookie),
  },
  {
    operation: 'deleteSession',
    access: `${key}, ${session}; delete ${session}`,
    code: family,
    prepare: begin,
    run: (shop, cookie) => current(shop, 'DELETE', cookie),
  },
  {
    operation: 'getShop',
    case: 'with the cookie of a session',
    access: `${key}, ${session}, \`SHOP#slug\` / \`SHOP\``,
    code: access,
    prepare: begin,
    run: ({ stack, slug }, cookie) => clientOf(stack.url)('GET', `/v1/shops/${slug}`, { headers: { cookie } }),
  },
];
