import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { t } from '../texts/texts.ts';
import { isFound } from './event-refs.ts';
import { type Bound, type Option, SelectField, TextInput } from './fields.tsx';

type Props = Bound<string> & { label: string; help?: string; options: readonly Option[] };

/** One of many events: a field to search, and those that it finds, by groups. What is chosen is always among them. */
export function EventPicker({ options, ...bound }: Props) {
  const sought = useSignal('');
  const found = options.filter((option) => option.value === bound.value || isFound(option, sought.value));
  const id = useId();
  return (
    <div class="event-picker">
      {!bound.isReadOnly && (
        <TextInput
          label={t('events.search')}
          name={`${bound.name}-search-${id}`}
          type="search"
          value={sought.value}
          autoComplete="off"
          onInput={(event) => {
            sought.value = event.currentTarget.value;
          }}
        />
      )}
      <SelectField {...bound} options={found} />
      <p class="hidden" role="status">
        {sought.value !== '' && t('events.found', { count: found.length })}
      </p>
    </div>
  );
}
