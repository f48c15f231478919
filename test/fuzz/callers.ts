import type { DeclaredOperation } from '#schemas/families/index.ts';
import { basic } from '#test/kit/invoke.ts';
import type { Random } from './random.ts';

/** Everybody who may send a request. */
const callerNames = ['nobody', 'stranger', 'viewer', 'editor', 'admin', 'admin of another shop', 'superadmin'] as const;
export type CallerName = (typeof callerNames)[number];

/** The shop that most requests are about, and another one. */
export const shops = ['blue', 'green'] as const;

const ranks: Record<string, number> = { key: 0, viewer: 1, editor: 2, admin: 3, superadmin: 4 };

/** Whether the caller may do this. It says only who may not: somebody who may can still be refused. */
export function mayCall(caller: CallerName, { role, path }: DeclaredOperation, slug: string | undefined): boolean {
  if (role === 'open' || role === 'signed') return true;
  // No caller here has a session.
  if (role === 'session') return false;
  if (caller === 'superadmin') return true;
  if (caller === 'nobody' || caller === 'stranger') return false;
  const shop = caller === 'admin of another shop' ? 'green' : 'blue';
  if (path.includes('{slug}') && slug !== shop) return false;
  return ranks[caller === 'admin of another shop' ? 'admin' : caller]! >= ranks[role]!;
}

/** A caller who may do it, more often than one who may not. */
export function pickCaller(operation: DeclaredOperation, random: Random): CallerName {
  if (random.chance(0.25)) return random.pick(callerNames);
  if (operation.role === 'signed') return 'superadmin';
  const allowed = callerNames.filter((name) => mayCall(name, operation, 'blue'));
  return random.pick(allowed.length > 0 ? allowed : callerNames);
}

/** The headers of a caller. `secrets` has the secret of each role. */
export function credentialsOf(
  caller: CallerName,
  secrets: Partial<Record<CallerName, string>>,
  random: Random,
): Record<string, string> {
  if (caller === 'nobody') return random.chance(0.5) ? {} : { Authorization: random.pick(malformed) };
  if (caller === 'stranger')
    return basic(random.pick(['blue', 'operator', 'nobody', 'ä', '\u0000', 'x'.repeat(255)]), 'wrong');
  const username = caller === 'superadmin' ? 'operator' : caller === 'admin of another shop' ? 'green' : 'blue';
  return basic(username, secrets[caller]!);
}

const malformed = [
  '',
  'Basic',
  'Basic ',
  'Basic !!!',
  'Basic Og==',
  'Basic Ymx1ZQ==',
  `Basic ${'A'.repeat(20_000)}`,
  'Bearer abc',
  'basic \u0000',
  'Basic Ymx1ZTp4, Basic Ymx1ZTp4',
];
