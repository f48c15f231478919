import { type Signal, signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { Failure } from '../api/client.ts';
import { guardLeaving } from '../app/router.ts';
import { faultText, isStillWrong, wordsOf } from '../texts/errors.ts';
import type { FaultWords } from '../texts/fault-words.ts';
import { t } from '../texts/texts.ts';
import { Button } from './button.tsx';
import type { Bound } from './fields.tsx';
import { FailureBox, keyText, textOf } from './states.tsx';

/** Errors that are about one field, though the service does not name it. */
const fieldsOfKeys: Record<string, string> = {
  campaign_exists: 'name',
  automation_exists: 'name',
  campaign_active_segment_exists: 'segment',
  a_b_test_overlap: 'segment',
  discount_exists: 'code',
  announcement_exists: 'text',
  webhook_exists: 'url',
  shop_exists: 'slug',
  zip_code_invalid: 'zip_code',
  carrier_reference_invalid: 'carrier_reference',
};

/** Fields that a fault of another field depends on: it may be mended there. */
const relatedFields: Record<string, readonly string[]> = {
  endAfterStart: ['start_date'],
  shares: ['holdout'],
  whoIsMeant: ['external_customer_id', 'order_numbers'],
  takenByCampaign: ['start_date', 'end_date', 'enabled'],
  takenByTest: ['start_date', 'end_date'],
};

interface Fault {
  field: string;
  text: string;
  words?: FaultWords | undefined;
}

const valueAt = (values: object | undefined, place: string): unknown =>
  place.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], values);

interface FormOptions<T extends object> {
  initial: T;
  /**
   * Saves the values. `ifMatch` is the state that they are based on; undefined means to save whatever is there now.
   * What it throws is shown, and the values stay.
   */
  save: (values: T, ifMatch: string | undefined) => Promise<unknown>;
  /** What the values are based on: an `updated_at` or an ETag. */
  etag?: string | undefined;
  /** What somebody else saved meanwhile, for a form that can show it. */
  readTheirs?: () => Promise<{ values: T; etag: string | undefined }>;
  /** The name of a field by the place of a fault in the request, such as `conditions.0.field`. Default: the same. */
  fieldOf?: (place: string) => string;
  isReadOnly?: boolean;
}

/**
 * The state of a form. Nothing that was typed is lost: not by a failed save, nor by what somebody else saved meanwhile, nor
 * by a click on a link without a question.
 */
export class Form<T extends object> {
  readonly values: Signal<T>;
  readonly failure = signal<unknown>(undefined);
  readonly isSaving = signal(false);
  readonly isReadOnly: boolean;
  options: FormOptions<T>;
  #etag: string | undefined;
  #saved: string;
  /** What the service refused. */
  #refused: T | undefined;
  /** The fields of the form: a fault of another one is said above the button. */
  readonly #shown = new Set<string>();
  #lastSave = Promise.resolve(false);

  constructor(options: FormOptions<T>) {
    this.options = options;
    this.values = signal(options.initial);
    this.isReadOnly = options.isReadOnly ?? false;
    this.#etag = options.etag;
    this.#saved = JSON.stringify(options.initial);
  }

  get isChanged(): boolean {
    return JSON.stringify(this.values.value) !== this.#saved;
  }

  /** Asks whether changes that are not saved may go. */
  mayLeave(): boolean {
    return !this.isChanged || this.isReadOnly || window.confirm(t('form.leave'));
  }

  /** Somebody changed the same thing after this form read it. */
  get isConflict(): boolean {
    const failure = this.failure.value;
    return failure instanceof Failure && failure.status === 412;
  }

  set(changes: Partial<T>): void {
    this.values.value = { ...this.values.value, ...changes };
  }

  /** What a field needs: `<TextField label="…" {...form.field('name')} />`. */
  field<K extends keyof T & string>(name: K): Bound<T[K]> {
    return {
      name,
      value: this.values.value[name],
      fault: this.faultOf(name),
      onValue: (value) => this.set({ [name]: value } as unknown as Partial<T>),
      isReadOnly: this.isReadOnly,
    };
  }

  /** What is wrong with a field, until it is mended. */
  faultOf(name: string): string | undefined {
    this.#shown.add(name);
    return this.#openFaults().find(({ field }) => field === name || field.startsWith(`${name}.`))?.text;
  }

  /** What is wrong with a list as a whole, and not with one of its rows. */
  faultOfList(name: string): string | undefined {
    this.#shown.add(`${name}.`);
    return this.#openFaults().find(({ field }) => field === name)?.text;
  }

  #faults(): Fault[] {
    const failure = this.failure.value;
    if (!(failure instanceof Failure)) return [];
    const { fieldOf = (place: string) => place } = this.options;
    const field = fieldsOfKeys[failure.key];
    if (failure.faults.length === 0 && field !== undefined && this.#shown.has(field)) {
      const words = wordsOf(failure.message);
      const isNamed = words !== undefined && words.name !== 'wrong';
      return [{ field, text: isNamed ? faultText(failure.message) : keyText(failure), ...(isNamed && { words }) }];
    }
    return failure.faults.map((fault) => ({
      field: fieldOf(fault.loc.slice(1).join('.')),
      text: faultText(fault.msg),
      words: wordsOf(fault.msg),
    }));
  }

  /** Those that nobody has mended since. */
  #openFaults(): Fault[] {
    const values = this.values.value;
    const isSame = (place: string) =>
      JSON.stringify(valueAt(values, place)) === JSON.stringify(valueAt(this.#refused, place));
    return this.#faults().filter(({ field, words }) => {
      if ([field, ...(relatedFields[words?.name ?? ''] ?? [])].every(isSame)) return true;
      return words !== undefined && isStillWrong(words, valueAt(values, field), valueAt(values, 'start_date'));
    });
  }

  /** Everything that the service refused was changed since. */
  get isMended(): boolean {
    return this.#faults().length > 0 && this.#openFaults().length === 0;
  }

  /** What is said above the button: what stands beside the fields is not said again. */
  get failureText(): string {
    const faults = this.#openFaults();
    const shown = [...this.#shown];
    const hasPlace = ({ field }: Fault) =>
      shown.some((name) => field === name || `${field}.` === name || field.startsWith(`${name}.`));
    const elsewhere = faults.filter((fault) => !hasPlace(fault));
    if (faults.length === 0) return textOf(this.failure.value);
    if (elsewhere.length === 0) return t('form.faulty');
    return elsewhere.map(({ field, text }) => `${field}: ${text}`).join(' ');
  }

  /** Returns whether the values are saved. `anyway` overwrites what somebody else saved meanwhile. */
  save({ anyway = false } = {}): Promise<boolean> {
    if (this.isSaving.value) return Promise.resolve(false);
    this.#lastSave = this.#saveNow(anyway);
    return this.#lastSave;
  }

  /** The end of the last save. Who asked for the save hears of it earlier. */
  get lastSave(): Promise<unknown> {
    return this.#lastSave;
  }

  async #saveNow(anyway: boolean): Promise<boolean> {
    this.isSaving.value = true;
    this.failure.value = undefined;
    const values = this.values.value;
    try {
      await this.options.save(values, anyway ? undefined : this.#etag);
      this.#saved = JSON.stringify(values);
      return true;
    } catch (error) {
      this.#refused = values;
      this.failure.value = error;
      return false;
    } finally {
      this.isSaving.value = false;
    }
  }

  /** Starts again from what is stored now. */
  reset(values: T, etag: string | undefined): void {
    this.values.value = values;
    this.#etag = etag;
    this.#saved = JSON.stringify(values);
    this.failure.value = undefined;
  }

  /** For a form whose view reads again after saving. */
  basedOn(etag: string | undefined): void {
    this.#etag = etag;
  }

  async showTheirs(): Promise<void> {
    try {
      const { values, etag } = await this.options.readTheirs!();
      this.reset(values, etag);
    } catch (error) {
      this.failure.value = error;
    }
  }
}

export function useForm<T extends object>(options: FormOptions<T>): Form<T> {
  const form = useMemo(() => new Form(options), []);
  form.options = options;
  useEffect(() => guardLeaving(() => form.mayLeave()), [form]);
  return form;
}

interface FormViewProps<T extends object> {
  form: Form<T>;
  /** What to say if saving fails: "The campaign was not saved." */
  tried: string;
  /** The text of the button that saves. */
  action: string;
  /** Asks before it is saved. False: it is not saved. */
  before?: (() => Promise<boolean>) | undefined;
  /** After it was saved. */
  onSaved?: (() => unknown) | undefined;
  children: ComponentChildren;
  /** More buttons beside the one that saves. */
  more?: ComponentChildren;
}

/** `Enter` submits, faults stand beside their fields, and what failed is said above the button that was pressed. */
export function FormView<T extends object>({ form, tried, action, before, onSaved, children, more }: FormViewProps<T>) {
  const element = useRef<HTMLFormElement>(null);
  const save = async (anyway = false) => {
    if (before && !(await before())) return;
    if (await form.save({ anyway })) return onSaved?.();
    // The first faulty field, else the message.
    requestAnimationFrame(() =>
      (
        element.current?.querySelector<HTMLElement>('[aria-invalid], [data-fault]') ??
        element.current?.querySelector<HTMLElement>('.failure')
      )?.focus(),
    );
  };
  return (
    <form
      ref={element}
      class="form stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!form.isReadOnly) save();
      }}
    >
      {children}
      {form.failure.value !== undefined && !form.isMended && (
        <FailureBox
          failure={form.failure.value}
          tried={form.isConflict ? t('form.conflict') : tried}
          text={form.failureText}
        >
          {form.isConflict && (
            <>
              {form.options.readTheirs && <Button onClick={() => form.showTheirs()}>{t('form.theirs')}</Button>}
              <Button kind="danger" onClick={() => save(true)}>
                {t('form.mine')}
              </Button>
            </>
          )}
        </FailureBox>
      )}
      {!form.isReadOnly && (
        <div class="actions">
          <Button kind="main" type="submit" isBusy={form.isSaving.value}>
            {action}
          </Button>
          {more}
        </div>
      )}
    </form>
  );
}
