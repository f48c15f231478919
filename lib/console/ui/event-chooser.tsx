import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { t } from '../texts/texts.ts';
import { withGroup } from './chosen-events.ts';
import { eventGroups, eventText, isFound } from './event-refs.ts';
import { type Bound, TextInput } from './fields.tsx';

/** Chooses events: all of them, whole groups, or single ones. */
export function EventChooser({ value, onValue, fault }: Bound<string[]>) {
  const isAll = value.includes('*');
  const chosen = new Set(value);
  const sought = useSignal('');
  const groups = eventGroups();
  const matches = (ref: string, title: string) =>
    isFound({ value: ref, label: eventText(ref), group: title }, sought.value);
  const found = groups
    .map((group) => ({ ...group, shown: group.refs.filter((ref) => matches(ref, group.title)) }))
    .filter(({ shown }) => shown.length > 0);
  const set = (name: string, isChosen: boolean) => {
    const rest = value.filter((one) => one !== name);
    onValue(isChosen ? [...rest, name] : rest);
  };
  const setGroup = (group: string, isChosen: boolean, refs: readonly string[]) => {
    const all = groups.map(({ filter }) => filter);
    onValue(withGroup(value, group, isChosen, all, refs));
  };
  return (
    <fieldset class={fault ? 'faulty' : ''}>
      <legend>{t('events.title')}</legend>
      {fault && <p class="fault">{fault}</p>}
      <Choice
        label={t('events.all')}
        help={t('events.allHelp')}
        isChosen={isAll}
        onChange={(on) => onValue(on ? ['*'] : [])}
      />
      {!isAll && (
        <TextInput
          label={t('events.search')}
          name="event-search"
          type="search"
          value={sought.value}
          autoComplete="off"
          onInput={(event) => {
            sought.value = event.currentTarget.value;
          }}
        />
      )}
      {!isAll && (
        <ul class="event-groups">
          {found.length === 0 && <li class="muted">{t('events.notFound')}</li>}
          {found.map(({ filter, title, refs, shown }) => {
            const isWhole = chosen.has(filter) || chosen.has(filter.split('/')[0]!);
            const single = refs.filter((ref) => chosen.has(ref)).length;
            return (
              <li key={filter} class="event-group">
                <Choice label={title} isChosen={isWhole} onChange={(on) => setGroup(filter, on, refs)} />
                {!isWhole && (
                  <details open={single > 0 || sought.value !== ''}>
                    <summary>
                      {t('events.single')} {single > 0 && `(${single})`}
                    </summary>
                    <ul class="event-singles">
                      {shown.map((ref) => (
                        <li key={ref}>
                          <Choice label={eventText(ref)} isChosen={chosen.has(ref)} onChange={(on) => set(ref, on)} />
                        </li>
                      ))}
                    </ul>
                  </details>
                )}
              </li>
            );
          })}
        </ul>
      )}
      {!isAll && value.length === 0 && <p class="help">{t('events.noneHelp')}</p>}
    </fieldset>
  );
}

interface ChoiceProps {
  label: string;
  help?: string;
  isChosen: boolean;
  onChange: (isChosen: boolean) => void;
}

function Choice({ label, help, isChosen, onChange }: ChoiceProps) {
  const id = useId();
  return (
    <div class="field check">
      <input
        id={id}
        type="checkbox"
        checked={isChosen}
        onChange={(event) => onChange(event.currentTarget.checked)}
        aria-describedby={help && `${id}-help`}
      />
      <label for={id}>{label}</label>
      {help && (
        <p class="help" id={`${id}-help`}>
          {help}
        </p>
      )}
    </div>
  );
}
