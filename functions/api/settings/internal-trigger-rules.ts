import { ApiError, invalid } from '#platform/http/api-error.ts';
import type { InternalTrigger, InternalTriggerInput } from '#schemas/shapes/trigger-shapes.ts';

/** Each is looked at for every shipment. */
const mostTriggers = 20;

type Triggers = readonly InternalTrigger[];

export function added(triggers: Triggers, trigger: InternalTrigger): InternalTrigger[] {
  if (triggers.length >= mostTriggers) {
    throw invalid({ loc: ['body'], msg: `would be one of more than ${mostTriggers} triggers`, type: 'value_error' });
  }
  return [...triggers, trigger];
}

export function replaced(triggers: Triggers, id: string, body: InternalTriggerInput): InternalTrigger[] {
  const { id: known } = found(triggers, id);
  return triggers.map((trigger) => (trigger.id === known ? { id: known, ...body } : trigger));
}

export function removed(triggers: Triggers, id: string): InternalTrigger[] {
  const gone = found(triggers, id);
  return triggers.filter((trigger) => trigger !== gone);
}

export function found(triggers: Triggers, id: string): InternalTrigger {
  const trigger = triggers.find((known) => known.id === id.toLowerCase());
  if (!trigger) throw new ApiError('internal_trigger_not_found');
  return trigger;
}
