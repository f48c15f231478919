import Type, { type Static } from 'typebox';
import { shopRoles } from '../catalogues/enumerations.ts';
import { dialectNames, type VendorName } from '../catalogues/integration-targets.ts';
import { notifiedIntegrations } from '../catalogues/integrations.ts';
import { accessLimits } from '../catalogues/limits.ts';
import { Choice, DateTime, Nothing, Nullable, Shape } from '../shapes/shapes.ts';
import { declare } from './operation.ts';

const ShopOfSession = Shape('ShopOfSession', {
  shop_slug: Type.String({ description: 'The slug of the shop.' }),
  role: Choice(shopRoles, { description: 'The role of the key in this shop.' }),
});

const vendors = dialectNames.filter((name): name is VendorName => name !== 'service');

const VendorOfIntegration = Shape('VendorOfIntegration', {
  integration: Choice(notifiedIntegrations),
  vendor: Choice(vendors, { description: 'Whose form its events have.' }),
});

const Session = Shape('Session', {
  username: Type.String({ description: 'The username of the API key.' }),
  role: Nullable(Choice(['superadmin'], { description: 'Null unless the key is of a SuperAdmin.' })),
  shops: Type.Array(ShopOfSession, {
    description:
      'The shops of the key, each with the role of the key. Empty for a SuperAdmin, who has access to all shops.',
  }),
  expires_at: DateTime({ description: 'When the session ends by itself.' }),
  vendors: Type.Array(VendorOfIntegration, {
    maxItems: notifiedIntegrations.length,
    description: 'The vendors that the operator of the service has given integrations to, so that these have names.',
  }),
});

const currentPath = '/v1/sessions/current';

export const sessions = declare({
  createSession: {
    method: 'POST',
    path: '/v1/sessions',
    role: 'key',
    summary: 'Log in',
    description: [
      'Begins a session of the API key and sets its cookie, for use in a browser. A request with the cookie needs no',
      `\`Authorization\` and has the rights of the key. The session ends after ${accessLimits.sessionHours} hours, when you log out, and when the key`,
      'expires or is deleted. Scripts of a page cannot read the cookie, and the secret of the key is not in it.',
    ].join(' '),
    response: Session,
  },
  getSession: {
    method: 'GET',
    path: currentPath,
    role: 'session',
    summary: 'See who is logged in',
    description: 'Returns the session of the cookie.',
    response: Session,
  },
  deleteSession: {
    method: 'DELETE',
    path: currentPath,
    role: 'session',
    summary: 'Log out',
    description: 'Ends the session of the cookie and removes the cookie. Other sessions of the key go on.',
    response: Nothing,
  },
});

export type Session = Static<typeof Session>;
