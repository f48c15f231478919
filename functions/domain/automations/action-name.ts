import { createHash } from 'node:crypto';
import type { Action } from './model.ts';

/**
 * What tells an action from the others of its automation: its type and what it is given. Not its place: an automation may
 * be replaced between two tries of a run, and then another action stands there.
 */
export const actionName = ({ type, params }: Action): string => `${type}-${hashOf(JSON.stringify(params))}`;

/** The target of an automation's deliveries to one address: each has a circuit of its own. */
export const automationTarget = (automationId: string, url: string): string => `${automationId}-${hashOf(url)}`;

/** Long enough: an automation has ten actions. */
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** A uuid with a hash behind it: no endpoint and no integration has such a name. */
export const isAutomationTarget = (target: string): boolean => /^[0-9a-f-]{36}-[0-9a-f]{16}$/.test(target);

/** The automation of such a target. */
export const automationOf = (target: string): string => target.slice(0, 36);
