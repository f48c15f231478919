import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { ThirdParty } from '#schemas/catalogues/integrations.ts';
import { directions, phases, shipmentEventNames } from '#schemas/catalogues/shipment-events.ts';
import type { InternalTriggerInput } from '#schemas/shapes/trigger-shapes.ts';
import { call, callWithEtag } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { integrationName } from '../../app/integration-name.ts';
import type { ViewProps } from '../../app/route.ts';
import { go, inShop } from '../../app/router.ts';
import { can } from '../../app/session.ts';
import { t, wordOf } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { DurationField } from '../../ui/duration-field.tsx';
import { isFound } from '../../ui/event-refs.ts';
import { type Option, SelectField, TextField } from '../../ui/fields.tsx';
import { FormView, useForm } from '../../ui/form.tsx';
import { notify } from '../../ui/notices.tsx';
import { Page } from '../../ui/parts.tsx';
import { eventOptions } from '../../ui/shipment-events.ts';
import { Loaded } from '../../ui/states.tsx';
import type { Stored } from './settings-form.tsx';
import { inWords } from './trigger-words.ts';
import { eventName } from './words.ts';

type Values = Omit<InternalTriggerInput, 'time_threshold_value'> & { time_threshold_value: string };

const fresh: Values = {
  name: '',
  phase_in: [],
  phase_not_in: [],
  event_key_in: [],
  event_key_not_in: [],
  operator: 'AND',
  time_threshold_type: 'latest_event_time',
  time_threshold_value: '48',
  shipment_direction: 'merchant_customer',
};

/** A trigger sends an event because time has passed and nothing happened. */
export default function InternalTrigger({ params }: ViewProps) {
  const integration = params.integration as ThirdParty;
  const id = params.trigger === 'new' ? undefined : params.trigger!;
  const read = async (): Promise<Stored<Values>> => {
    if (id === undefined) return { values: fresh, etag: undefined };
    const { answer, etag } = await callWithEtag('getInternalTrigger', { params: { integration, trigger_id: id } });
    const { id: _, time_threshold_value, ...rest } = answer;
    return { values: { ...rest, time_threshold_value: String(time_threshold_value) }, etag };
  };
  const stored = useResource('trigger', read);
  const path = inShop(`/settings/notifications/${integration}`);
  return (
    <Page
      title={id === undefined ? t('admin.trigger.add') : (stored.value.value?.values.name ?? t('admin.trigger.title'))}
      up={{ path, label: integrationName(integration) }}
    >
      <Loaded resource={stored} tried={t('admin.tried.read')}>
        {(first) => <TriggerForm {...{ integration, id, first, read, path }} />}
      </Loaded>
    </Page>
  );
}

interface TriggerFormProps {
  integration: ThirdParty;
  id: string | undefined;
  first: Stored<Values>;
  read: () => Promise<Stored<Values>>;
  path: string;
}

function TriggerForm({ integration, id, first, read, path }: TriggerFormProps) {
  const form = useForm<Values>({
    initial: first.values,
    etag: first.etag,
    readTheirs: read,
    isReadOnly: !can('updateInternalTrigger'),
    save: (values, ifMatch) => {
      const hours = values.time_threshold_value.trim();
      const body = { ...values, time_threshold_value: hours === '' ? (null as never) : Number(hours) };
      return id === undefined
        ? call('createInternalTrigger', { params: { integration }, body })
        : call('updateInternalTrigger', { params: { integration, trigger_id: id }, body, ifMatch });
    },
  });
  const { values } = form;
  return (
    <FormView
      form={form}
      tried={t('admin.tried.save')}
      action={id === undefined ? t('admin.trigger.create') : t('common.save')}
      onSaved={() => {
        notify(t('admin.saved'));
        go(path);
      }}
    >
      <TextField label={t('admin.trigger.name')} {...form.field('name')} required maxLength={255} />
      <div class="fields">
        <DurationField
          label={t('admin.trigger.hours')}
          help={t('admin.trigger.hoursHelp')}
          base="hours"
          {...form.field('time_threshold_value')}
        />
        <SelectField
          label={t('admin.trigger.from')}
          {...form.field('time_threshold_type')}
          onValue={(value) => form.set({ time_threshold_type: value as Values['time_threshold_type'] })}
          options={(['latest_event_time', 'created_at'] as const).map((value) => ({
            value,
            label: t(`admin.trigger.starts.${value}`),
          }))}
        />
        <SelectField
          label={t('admin.trigger.direction')}
          {...form.field('shipment_direction')}
          onValue={(value) => form.set({ shipment_direction: value as Values['shipment_direction'] })}
          options={directions.map((value) => ({ value, label: wordOf('admin.directions', value) }))}
        />
      </div>
      {(['phase_in', 'phase_not_in'] as const).map((name) => (
        <ListField
          key={name}
          label={t(`admin.trigger.${name}`)}
          nothing={t(name.endsWith('_not_in') ? 'common.none' : 'admin.trigger.any')}
          help={t(`admin.trigger.${name}Help`)}
          fault={form.faultOf(name)}
          isReadOnly={form.isReadOnly}
          chosen={values.value[name]}
          onChosen={(chosen) => form.set({ [name]: chosen as (typeof phases)[number][] })}
          options={phases.map((value) => ({ value, label: wordOf('common.phases', value) }))}
        />
      ))}
      {(['event_key_in', 'event_key_not_in'] as const).map((name) => (
        <ListField
          key={name}
          label={t(`admin.trigger.${name}`)}
          nothing={t(name.endsWith('_not_in') ? 'common.none' : 'admin.trigger.any')}
          help={t(`admin.trigger.${name}Help`)}
          fault={form.faultOf(name)}
          isReadOnly={form.isReadOnly}
          chosen={values.value[name]}
          onChosen={(chosen) => form.set({ [name]: chosen })}
          options={eventOptions(shipmentEventNames)}
        />
      ))}
      {values.value.event_key_in.length > 0 && values.value.event_key_not_in.length > 0 && (
        <SelectField
          label={t('admin.trigger.operator')}
          {...form.field('operator')}
          onValue={(value) => form.set({ operator: value as Values['operator'] })}
          options={(['AND', 'OR'] as const).map((value) => ({ value, label: t(`admin.trigger.operators.${value}`) }))}
        />
      )}
      <p class="card" role="status">
        {inWords({ ...values.value, time_threshold_value: Number(values.value.time_threshold_value) || 0 })}
      </p>
    </FormView>
  );
}

interface ListFieldProps {
  label: string;
  /** What an empty list means. */
  nothing: string;
  help: string;
  fault: string | undefined;
  isReadOnly: boolean;
  chosen: readonly string[];
  onChosen: (chosen: string[]) => void;
  options: readonly Option[];
}

/** Longer lists have a field to search. */
const searchedFrom = 20;

/** Several of many: those that are chosen as a list, and one field that adds another. */
function ListField({ label, nothing, help, fault, isReadOnly, chosen, onChosen, options }: ListFieldProps) {
  const id = useId();
  const labelOf = (value: string) => options.find((option) => option.value === value)?.label ?? eventName(value);
  const sought = useSignal('');
  const left = options.filter((option) => !chosen.includes(option.value) && isFound(option, sought.value));
  const groups = [...new Set(left.map(({ group }) => group))];
  return (
    <div class={fault ? 'field faulty' : 'field'}>
      <label for={id}>{label}</label>
      {chosen.length > 0 && (
        <ul class="chosen" aria-label={label}>
          {chosen.map((value) => (
            <li key={value} class="state">
              {labelOf(value)}
              {!isReadOnly && (
                <Button
                  kind="plain"
                  aria-label={t('admin.trigger.takeOut', { name: labelOf(value) })}
                  onClick={() => {
                    onChosen(chosen.filter((one) => one !== value));
                    document.getElementById(id)?.focus();
                  }}
                >
                  ×
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {options.length > searchedFrom && !isReadOnly && (
        <input
          type="search"
          aria-label={`${label}: ${t('events.search')}`}
          placeholder={t('events.search')}
          autocomplete="off"
          value={sought.value}
          onInput={(event) => {
            sought.value = event.currentTarget.value;
          }}
        />
      )}
      <select
        id={id}
        disabled={isReadOnly}
        aria-describedby={`${id}-help`}
        aria-invalid={fault ? true : undefined}
        onChange={(event) => {
          if (event.currentTarget.value !== '') onChosen([...chosen, event.currentTarget.value]);
          event.currentTarget.value = '';
        }}
      >
        <option value="">{chosen.length === 0 ? nothing : t('admin.trigger.addOne')}</option>
        {groups.map((group) => {
          const own = left
            .filter((option) => option.group === group)
            .map(({ value, label: text }) => (
              <option key={value} value={value}>
                {text}
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
      {fault && <p class="fault">{fault}</p>}
      <p class="help" id={`${id}-help`}>
        {help}
      </p>
    </div>
  );
}
