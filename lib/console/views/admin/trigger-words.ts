import type { InternalTriggerInput } from '#schemas/shapes/trigger-shapes.ts';
import { language, t, wordOf } from '../../texts/texts.ts';
import { durationText } from '../../ui/duration-field.tsx';
import { eventName } from './words.ts';

type Trigger = Omit<InternalTriggerInput, 'name' | 'shipment_direction'>;

const list = (words: readonly string[], type: 'conjunction' | 'disjunction') =>
  new Intl.ListFormat(language.value, { type }).format(words);

/** What a trigger does, as sentences. */
export function inWords(trigger: Trigger): string {
  const { time_threshold_type: from, time_threshold_value: count, operator } = trigger;
  const when = t(from === 'created_at' ? 'admin.trigger.afterCreation' : 'admin.trigger.afterEvent', {
    hours: durationText(count, 'hours'),
  });
  const phases = (names: readonly string[]) =>
    list(
      names.map((name) => wordOf('common.phases', name)),
      'disjunction',
    );
  const events = (names: readonly string[]) => list(names.map(eventName), 'disjunction');
  const ofEvents = [
    trigger.event_key_in.length > 0 && t('admin.trigger.ifEvent', { events: events(trigger.event_key_in) }),
    trigger.event_key_not_in.length > 0 && t('admin.trigger.ifNotEvent', { events: events(trigger.event_key_not_in) }),
  ].filter((text) => text !== false);
  const conditions = [
    trigger.phase_in.length > 0 && t('admin.trigger.ifPhase', { phases: phases(trigger.phase_in) }),
    trigger.phase_not_in.length > 0 && t('admin.trigger.ifNotPhase', { phases: phases(trigger.phase_not_in) }),
    ofEvents.length > 0 && list(ofEvents, operator === 'AND' ? 'conjunction' : 'disjunction'),
  ].filter((text) => text !== false);
  if (conditions.length === 0) return `${when}.`;
  return `${when}, ${t('admin.trigger.if', { conditions: list(conditions, 'conjunction') })}.`;
}
