import { createHash } from 'node:crypto';
import type { EndpointSecret } from '#domain/endpoints/endpoint.ts';
import type { Recorded } from '#platform/table/record.ts';
import type { claimStatuses } from '#schemas/catalogues/enumerations.ts';
import type { NotifiedIntegration } from '#schemas/catalogues/integrations.ts';
import type { ActionType, AutomationInput, Operator } from '#schemas/families/automations.ts';

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

export interface AutomationFields {
  name: string;
  status: AutomationInput['status'];
  trigger: Trigger;
  conditions: Conditions | null;
  actions: Action[];
  delay_minutes: number;
  max_age_hours: number;
  /** The same shape as the secrets of an endpoint: the current one first. */
  secrets: EndpointSecret[];
}

export type AutomationRecord = Recorded<AutomationFields>;

/**
 * Identifies an action within its automation by its type and parameters. Its position would not do: the merchant may
 * replace the automation between two attempts of a run, and then another action has that position.
 */
export const actionName = ({ type, params }: Action): string => `${type}-${hashOf(JSON.stringify(params))}`;

/** The delivery target of an automation for one URL. Each URL has its own circuit. */
export const automationTarget = (automationId: string, url: string): string => `${automationId}-${hashOf(url)}`;

/** 16 hex digits are enough, because an automation has at most ten actions. */
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** A uuid followed by a hash. No endpoint and no integration has an id of this form. */
export const isAutomationTarget = (target: string): boolean => /^[0-9a-f-]{36}-[0-9a-f]{16}$/.test(target);

/** The id of the automation in an automation target. */
export const automationOf = (target: string): string => target.slice(0, 36);

/**
 * An action can cause an event that starts another automation. The `by` field of an event lists this chain of
 * automations. An automation that is already in the chain does not run again, and a chain has at most this length.
 */
const maxChainLength = 3;

const prefix = 'automation:';

/** The `by` field of an event that automations caused: the whole chain, the first automation first. */
export const causedBy = (chain: readonly string[], automationId: string): string =>
  prefix + [...chain, automationId].join(',');

/** The automations that led to an event, or an empty list if somebody else caused it. */
export function chainOf(event: object): string[] {
  const by = 'by' in event ? event.by : undefined;
  return typeof by === 'string' && by.startsWith(prefix) ? by.slice(prefix.length).split(',') : [];
}

export function chainFault(chain: readonly string[], automationId: string): 'loop' | 'chain_too_long' | undefined {
  if (chain.includes(automationId)) return 'loop';
  return chain.length >= maxChainLength ? 'chain_too_long' : undefined;
}
