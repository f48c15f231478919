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
