import { allOperations, type FamilyName } from '#schemas/families/index.ts';
import { pathsOf, type Role } from '#schemas/families/operation.ts';

/** The families whose anonymous callers reach the function by its own URL, not by API Gateway. */
export const familiesWithUrl = ['pages', 'tracking-providers'] as const satisfies readonly FamilyName[];

type FamilyWithUrl = (typeof familiesWithUrl)[number];

/** They have neither a key nor a session. */
const anonymousRoles: readonly Role[] = ['open', 'signed'];

/**
 * CloudFront's patterns of the paths that anonymous callers of a family use. `*` is any text there, with slashes too, so one
 * pattern covers everything below a page.
 */
export const anonymousPatterns = (family: FamilyWithUrl): string[] =>
  patternsOf((operation) => operation.family === family && anonymousRoles.includes(operation.role));

/**
 * The same of what strangers ask for from addresses of their own: pages, logins, docs, health checks. The systems of shops and
 * tracking providers send much from few addresses.
 */
export const patternsOfStrangers = (): string[] => patternsOf(({ role }) => role === 'open' || role === 'key');

function patternsOf(isMeant: (operation: (typeof allOperations)[number]) => boolean): string[] {
  const patterns = allOperations
    .filter(isMeant)
    .flatMap((operation) => pathsOf(operation))
    .map((path) => path.replace(/\{\w+\}/g, '*'));
  const unique = [...new Set(patterns)];
  return unique.filter((pattern) => !unique.some((wider) => wider !== pattern && covers(wider, pattern)));
}

const covers = (wider: string, pattern: string): boolean =>
  wider.indexOf('*') === wider.length - 1 && pattern.startsWith(wider.slice(0, -1));

interface AnonymousMethod {
  readonly method: string;
  readonly path: string;
  /** The part of what a method of a merchant takes. */
  readonly share: number;
}

/** A shop's own system sends much. Docs, health checks and logins are few. */
const shareOf = (role: Role): number => (role === 'signed' ? 1 / 2 : 1 / 20);

/**
 * What everybody may call at API Gateway: it has throttles of its own, so that strangers cannot use up what the account has for
 * merchants. `key` is the login, which proves nothing before it is tried.
 */
export const anonymousMethods = (): AnonymousMethod[] =>
  allOperations
    .filter(({ role, family }) => [...anonymousRoles, 'key'].includes(role) && !isWithUrl(family))
    .flatMap((operation) =>
      pathsOf(operation).map((path) => ({ method: operation.method, path, share: shareOf(operation.role) })),
    );

const isWithUrl = (family: FamilyName): boolean => familiesWithUrl.some((known) => known === family);
