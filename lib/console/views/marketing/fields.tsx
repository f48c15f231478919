import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import { everybody } from '#schemas/catalogues/enumerations.ts';
import { call } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { can } from '../../app/session.ts';
import { t } from '../../texts/texts.ts';
import { type Bound, SelectField, TextField } from '../../ui/fields.tsx';
import { languageName, languageOptions } from '../../ui/languages.ts';
import { textOf } from '../../ui/states.tsx';
import { short } from './typed-texts.ts';

/** The fields that several forms of marketing have. */

/** Names of segments are free. Those that campaigns use already are suggested. */
export function SegmentField({ help, ...bound }: Bound<string> & { help: string }) {
  const id = useId();
  const known = useResource('segments', (signal) => call('searchCampaigns', { query: { per_page: 100 }, signal }));
  const names = new Set([everybody, ...(known.value.value ?? []).map(({ segment }) => segment)]);
  return (
    <>
      <TextField label={t('marketing.segment')} help={help} list={id} maxLength={255} {...bound} />
      <datalist id={id}>
        {[...names].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}

/** What the shop's discounts are called, for a choice. */
export function DiscountField({ isOptional = false, ...bound }: Bound<string> & { isOptional?: boolean }) {
  const discounts = useResource('discounts', (signal) => call('searchDiscounts', { query: { per_page: 100 }, signal }));
  const found = (discounts.value.value ?? []).map(({ uuid, code, title }) => ({
    value: uuid,
    label: short([code, title].filter(Boolean).join(' · ') || uuid),
  }));
  const isKnown = bound.value === '' || found.some(({ value }) => value === bound.value);
  const failure = discounts.failure.value;
  return (
    <SelectField
      {...bound}
      label={t('marketing.discount')}
      isOptional={isOptional}
      help={failure === undefined ? t('marketing.discountHelp') : textOf(failure)}
      options={[
        { value: '', label: t(isOptional ? 'common.none' : 'marketing.choose') },
        ...found,
        ...(isKnown ? [] : [{ value: bound.value, label: bound.value }]),
      ]}
    />
  );
}

export function LanguageField({ label, ...bound }: Bound<string> & { label?: string }) {
  const options = languageOptions();
  const isKnown = options.some(({ value }) => value === bound.value);
  return (
    <SelectField
      {...bound}
      label={label ?? t('marketing.language')}
      options={isKnown ? options : [{ value: bound.value, label: languageName(bound.value) }, ...options]}
    />
  );
}

/** An address of an image, or a file that becomes one. */
export function ImageField({ label, ...bound }: Bound<string> & { label: string }) {
  const isBusy = useSignal(false);
  const fault = useSignal<string | undefined>(undefined);
  const id = useId();
  // An upload takes a while. Its address goes to the field as it is then, or nowhere if the field is gone.
  const latest = useRef<Bound<string> | undefined>(bound);
  latest.current = bound;
  useEffect(
    () => () => {
      latest.current = undefined;
    },
    [],
  );
  const upload = async (file: File | undefined) => {
    if (!file) return;
    isBusy.value = true;
    fault.value = undefined;
    const body = new FormData();
    body.set('image_type', 'background');
    body.set('image', file);
    try {
      const { url } = await call('uploadImage', { body });
      latest.current?.onValue(url);
    } catch (error) {
      fault.value = textOf(error);
    }
    isBusy.value = false;
  };
  const mayUpload = can('uploadImage') && !bound.isReadOnly;
  return (
    <div class="stack">
      <TextField
        {...bound}
        label={label}
        isOptional
        type="url"
        fault={fault.value ?? bound.fault}
        help={t('marketing.imageHelp')}
      />
      {mayUpload && (
        <p class="actions">
          <label class="button quiet" for={id}>
            {isBusy.value && <span class="spinner" aria-hidden="true" />} {t('marketing.upload')}
          </label>
          <input
            id={id}
            class="hidden"
            type="file"
            accept="image/jpeg,image/png,image/gif,image/webp"
            onChange={(event) => upload(event.currentTarget.files?.[0])}
          />
        </p>
      )}
    </div>
  );
}
