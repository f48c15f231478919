import { createHash } from 'node:crypto';
import type { EndpointSecret } from '#domain/endpoints/endpoint.ts';
import type { Recorded } from '#domain/records/record.ts';
import type { NotifiedIntegration } from '#schemas/catalogues/integrations.ts';
import type { ActionType, AutomationInput, Operator } from '#schemas/families/automations.ts';
import type { claimStatuses } from '#schemas/families/claims.ts';

export type ClaimStatus = (typeof claimStatuses)[number];

export interface Condition {
  field: string;
  operator: Operator;
  value: string | number | boolean | null | (string | number | boolean)[];
}

export type Conditions = { all: Condition[] } | { any: Condition[] };

export type Trigger = { event_group: string } | { ref: string };

export type Action = { type: ActionType; params: Record<string, string> } & (
  | { type: 'webhook'; params: { url: string } }
  | { type: 'integration'; params: { integration: NotifiedIntegration } }
  | { type: 'update_claim'; params: { status: ClaimStatus } }
  | { type: 'add_segment'; params: { segment: string } }
);

/** What is to happen when an event comes, as the rules see it. */
export interface AutomationFields {
  name: string;
  status: AutomationInput['status'];
  trigger: Trigger;
  conditions: Conditions | null;
  actions: Action[];
  delay_minutes: number;
  max_age_hours: number;
  /** As an endpoint has them: the current one first. */
  secrets: EndpointSecret[];
}

export type AutomationRecord = Recorded<AutomationFields>;

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

/**
 * What an automation does may be an event that sets off another one. The name of who caused an event tells the chain: an
 * automation that is in it already does not run again, and no chain is longer than this.
 */
const maxChainLength = 3;

const prefix = 'automation:';

/** Who caused an event, where automations did: all of the chain, the first one first. */
export const causedBy = (chain: readonly string[], automationId: string): string =>
  prefix + [...chain, automationId].join(',');

/** The automations that led to an event; none where somebody else caused it. */
export function chainOf(event: object): string[] {
  const by = 'by' in event ? event.by : undefined;
  return typeof by === 'string' && by.startsWith(prefix) ? by.slice(prefix.length).split(',') : [];
}

export function chainFault(chain: readonly string[], automationId: string): 'loop' | 'chain_too_long' | undefined {
  if (chain.includes(automationId)) return 'loop';
  return chain.length >= maxChainLength ? 'chain_too_long' : undefined;
}
