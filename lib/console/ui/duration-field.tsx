import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { t } from '../texts/texts.ts';
import { counted, type DurationUnit, spoken, unitsFrom } from './durations.ts';
import { type Bound, SelectField, TextField } from './fields.tsx';

type Props = Bound<string> & { label: string; help?: string; base: DurationUnit };

/** A time to wait, in the unit that somebody chooses. The value stays in the unit of the API. */
export function DurationField({ label, help, base, name, value, fault, onValue, isReadOnly }: Props) {
  const initial = said(value, base);
  const typed = useSignal(initial.typed);
  const unit = useSignal<DurationUnit>(initial.unit);
  // The form was filled anew, and not by this field.
  useEffect(() => {
    if (counted(typed.value, unit.value, base) === value) return;
    typed.value = said(value, base).typed;
    unit.value = said(value, base).unit;
  }, [value]);
  const shared = { isReadOnly: isReadOnly ?? false };
  return (
    <div class="duration">
      <TextField
        {...shared}
        label={label}
        {...(help !== undefined && { help })}
        name={name}
        type="number"
        min={0}
        fault={fault}
        value={typed.value}
        onValue={(text) => {
          typed.value = text;
          onValue(counted(text, unit.value, base));
        }}
      />
      <SelectField
        {...shared}
        label={t('durations.unit')}
        name={`${name}-unit`}
        value={unit.value}
        onValue={(chosen) => {
          unit.value = chosen as DurationUnit;
          onValue(counted(typed.value, unit.value, base));
        }}
        options={unitsFrom(base).map((one) => ({ value: one, label: t(`durations.units.${one}`) }))}
      />
    </div>
  );
}

function said(value: string, base: DurationUnit): { typed: string; unit: DurationUnit } {
  if (value.trim() === '' || Number.isNaN(Number(value))) return { typed: value, unit: base };
  const { count, unit } = spoken(Number(value), base);
  return { typed: String(count), unit };
}

/** "2 days", of a number in the unit of the API. */
export function durationText(count: number, base: DurationUnit): string {
  const { count: shown, unit } = spoken(count, base);
  return t(`durations.spans.${unit}`, { count: shown });
}
