import type { ComponentChildren, InputHTMLAttributes, TargetedInputEvent } from 'preact';
import { useId } from 'preact/hooks';
import { t } from '../texts/texts.ts';
import { toIso, toLocal } from './times.ts';

/** What `form.field(name)` gives a field: its value, what is wrong with it, and what to do when it changes. */
export interface Bound<T> {
  name: string;
  value: T;
  fault?: string | undefined;
  onValue: (value: T) => void;
  isReadOnly?: boolean;
}

interface Labelled {
  label: string;
  help?: ComponentChildren;
  fault?: string | undefined;
  isOptional?: boolean;
}

interface FrameProps extends Labelled {
  id: string;
  children: ComponentChildren;
}

const describedBy = (id: string, { help, fault }: Labelled) =>
  [fault && `${id}-fault`, help && `${id}-help`].filter(Boolean).join(' ') || undefined;

/** The label stands above the field, the help below it, and a fault beside it. */
function Frame({ id, label, help, fault, isOptional, children }: FrameProps) {
  return (
    <div class={fault ? 'field faulty' : 'field'}>
      <label for={id}>
        {label} {isOptional && <span class="muted">{t('common.optional')}</span>}
      </label>
      {children}
      {fault && (
        <p class="fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
      {help && (
        <p class="help" id={`${id}-help`}>
          {help}
        </p>
      )}
    </div>
  );
}

/** The attributes of HTML that our fields pass on. */
interface InputAttributes {
  type?: 'text' | 'password' | 'email' | 'url' | 'number' | 'search' | 'date' | 'datetime-local';
  placeholder?: string;
  maxLength?: number;
  required?: boolean;
  inputMode?: 'numeric' | 'decimal' | 'url' | 'email';
  min?: string | number;
  max?: string | number;
  step?: string | number;
  /** The id of a datalist. */
  list?: string;
  autoComplete?: string;
}

interface TextInputProps extends Labelled, InputAttributes {
  name: string;
  value?: string;
  defaultValue?: string;
  readOnly?: boolean;
  onInput?: (event: TargetedInputEvent<HTMLInputElement>) => void;
}

/** A field of a form that is not bound. */
export function TextInput({ label, help, fault, isOptional, ...rest }: TextInputProps) {
  const id = useId();
  const labelled = { label, help, fault, ...(isOptional && { isOptional }) };
  return (
    <Frame id={id} {...labelled}>
      <input
        id={id}
        {...(rest as InputHTMLAttributes)}
        aria-describedby={describedBy(id, labelled)}
        aria-invalid={fault ? true : undefined}
      />
    </Frame>
  );
}

type TextFieldProps = Bound<string> & Labelled & InputAttributes;

export function TextField({ value, onValue, isReadOnly, ...rest }: TextFieldProps) {
  return (
    <TextInput
      {...rest}
      value={value}
      readOnly={isReadOnly ?? false}
      onInput={(event) => onValue(event.currentTarget.value)}
    />
  );
}

type AreaProps = Bound<string> &
  Labelled & { rows?: number; maxLength?: number; required?: boolean; placeholder?: string };

export function TextArea({ label, help, fault, isOptional, value, onValue, isReadOnly, rows = 4, ...rest }: AreaProps) {
  const id = useId();
  const labelled = { label, help, fault, ...(isOptional && { isOptional }) };
  return (
    <Frame id={id} {...labelled}>
      <textarea
        id={id}
        {...rest}
        rows={rows}
        value={value}
        readOnly={isReadOnly ?? false}
        onInput={(event) => onValue(event.currentTarget.value)}
        aria-describedby={describedBy(id, labelled)}
        aria-invalid={fault ? true : undefined}
      />
    </Frame>
  );
}

export interface Option {
  value: string;
  label: string;
  group?: string;
}

type SelectProps = Bound<string> & Labelled & { options: readonly Option[]; required?: boolean };

export function SelectField({
  label,
  help,
  fault,
  isOptional,
  name,
  value,
  onValue,
  isReadOnly,
  options,
  required,
}: SelectProps) {
  const id = useId();
  const labelled = { label, help, fault, ...(isOptional && { isOptional }) };
  const groups = [...new Set(options.map(({ group }) => group))];
  return (
    <Frame id={id} {...labelled}>
      <select
        id={id}
        name={name}
        value={value}
        required={required ?? false}
        disabled={isReadOnly ?? false}
        onChange={(event) => onValue(event.currentTarget.value)}
        aria-describedby={describedBy(id, labelled)}
        aria-invalid={fault ? true : undefined}
      >
        {groups.map((group) => {
          const own = options
            .filter((option) => option.group === group)
            .map((option) => (
              <option key={option.value} value={option.value} selected={option.value === value}>
                {option.label}
              </option>
            ));
          return group === undefined ? (
            own
          ) : (
            <optgroup key={group} label={group}>
              {own}
            </optgroup>
          );
        })}
      </select>
    </Frame>
  );
}

type CheckProps = Bound<boolean> & Omit<Labelled, 'isOptional'>;

export function CheckField({ label, help, fault, name, value, onValue, isReadOnly }: CheckProps) {
  const id = useId();
  return (
    <div class={fault ? 'field check faulty' : 'field check'}>
      <input
        id={id}
        name={name}
        type="checkbox"
        checked={value}
        disabled={isReadOnly ?? false}
        onChange={(event) => onValue(event.currentTarget.checked)}
        aria-describedby={describedBy(id, { label, help, fault })}
      />
      <label for={id}>{label}</label>
      {fault && (
        <p class="fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
      {help && (
        <p class="help" id={`${id}-help`}>
          {help}
        </p>
      )}
    </div>
  );
}

/** A time in the user's own zone, kept as the API takes it: ISO 8601 in UTC, or empty. */
export function TimeField({ value, onValue, ...rest }: Bound<string> & Labelled) {
  return (
    <TextField
      {...rest}
      type="datetime-local"
      max="9999-12-31T23:59"
      value={toLocal(value)}
      onValue={(text) => onValue(toIso(text))}
    />
  );
}

/** A colour as a picker and as text. */
export function ColourField({ label, help, fault, name, value, onValue, isReadOnly }: Bound<string> & Labelled) {
  const id = useId();
  const labelled = { label, help, fault };
  return (
    <Frame id={id} {...labelled}>
      <span class="colour">
        <input
          type="color"
          aria-label={`${label}: ${t('common.picker')}`}
          value={/^#[0-9a-f]{6}$/i.test(value) ? value : '#000000'}
          disabled={isReadOnly ?? false}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
        <input
          id={id}
          name={name}
          value={value}
          readOnly={isReadOnly ?? false}
          maxLength={7}
          onInput={(event) => onValue(event.currentTarget.value)}
          aria-describedby={describedBy(id, labelled)}
          aria-invalid={fault ? true : undefined}
        />
      </span>
    </Frame>
  );
}
