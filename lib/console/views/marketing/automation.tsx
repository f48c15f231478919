import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { claimStatuses } from '#schemas/catalogues/enumerations.ts';
import { notifiedIntegrations } from '#schemas/catalogues/integrations.ts';
import type { Automation as Stored } from '#schemas/families/automations.ts';
import { call } from '../../api/client.ts';
import type { Resource } from '../../api/resource.ts';
import { integrationName } from '../../app/integration-name.ts';
import type { ViewProps } from '../../app/route.ts';
import { href } from '../../app/router.ts';
import { can } from '../../app/session.ts';
import { t, wordOf } from '../../texts/texts.ts';
import { CopyText } from '../../ui/copy.tsx';
import { DurationField } from '../../ui/duration-field.tsx';
import { EventPicker } from '../../ui/event-picker.tsx';
import { triggerOptions } from '../../ui/event-refs.ts';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { type Form, FormView } from '../../ui/form.tsx';
import { Section, Tabs } from '../../ui/parts.tsx';
import { inRow, Rows } from '../../ui/rows.tsx';
import { Loaded } from '../../ui/states.tsx';
import {
  type ActionValues,
  type AutomationValues,
  actionTypes,
  fieldOf,
  newAction,
  newCondition,
  operators,
  toBody,
  toValues,
} from './automation-values.ts';
import { AutomationState } from './automations.tsx';
import { pathOf, RecordPage, RemoveButton, useRecord, useRecordForm } from './records.tsx';
import { short } from './typed-texts.ts';

export default function Automation({ params }: ViewProps) {
  const automation = useRecord(params.uuid, (automation_id, signal) =>
    call('getAutomation', { params: { automation_id }, signal }),
  );
  return (
    <Loaded resource={automation} tried={t('marketing.automations.triedOne')}>
      {() => <AutomationForm resource={automation} />}
    </Loaded>
  );
}

export const AutomationTabs = ({ uuid }: { uuid: string }) => (
  <Tabs
    label={t('marketing.automations.one')}
    tabs={[
      { path: pathOf('automations', uuid), title: t('marketing.automations.definition') },
      { path: `${pathOf('automations', uuid)}/runs`, title: t('marketing.runs.title') },
      ...(can('dryRunAutomation')
        ? [{ path: `${pathOf('automations', uuid)}/dry-run`, title: t('marketing.dryRun.title') }]
        : []),
    ]}
  />
);

function AutomationForm({ resource }: { resource: Resource<Stored | null> }) {
  const mayChange = can('replaceAutomation');
  const created = useSignal<Stored | undefined>(undefined);
  const { form, record, onSaved, ifMatch } = useRecordForm<Stored, AutomationValues>({
    kind: 'automations',
    resource,
    toValues,
    fieldOf,
    isReadOnly: !mayChange,
    create: async (values) => {
      created.value = await call('createAutomation', { body: toBody(values) });
    },
    update: ({ uuid }, values, ifMatch) =>
      call('replaceAutomation', { params: { automation_id: uuid }, body: toBody(values), ifMatch }),
  });
  if (created.value) return <Created automation={created.value} />;
  return (
    <RecordPage
      kind="automations"
      title={record ? short(record.name) : t('marketing.automations.new')}
      state={record && <AutomationState status={record.status} />}
      actions={
        record &&
        can('deleteAutomation') && (
          <RemoveButton
            kind="automations"
            name={short(record.name)}
            remove={async () =>
              call('deleteAutomation', { params: { automation_id: record.uuid }, ifMatch: await ifMatch() })
            }
          />
        )
      }
    >
      {record && <AutomationTabs uuid={record.uuid} />}
      <FormView
        form={form}
        tried={t('marketing.automations.notSaved')}
        action={record ? t('common.save') : t('marketing.automations.create')}
        onSaved={record ? onSaved : undefined}
      >
        <TextField label={t('marketing.name')} maxLength={255} required {...form.field('name')} />
        <SelectField
          label={t('marketing.status')}
          help={t('marketing.automations.statusHelp')}
          options={(['active', 'testing', 'inactive'] as const).map((value) => ({
            value,
            label: t(`marketing.automations.statuses.${value}`),
          }))}
          {...form.field('status')}
        />
        <When form={form} />
        <If form={form} />
        <Do form={form} />
      </FormView>
      {record?.secret && (
        <Section title={t('marketing.automations.secret')}>
          <p class="help">{t('marketing.automations.secretHelp')}</p>
          <CopyText text={record.secret} shown="••••••••" label={t('marketing.automations.secret')} />
        </Section>
      )}
    </RecordPage>
  );
}

/** Somebody who is no administrator sees the secret only here. */
const Created = ({ automation: { uuid, name, secret } }: { automation: Stored }) => (
  <RecordPage kind="automations" title={t('marketing.automations.created', { name: short(name) })}>
    {secret && (
      <Section title={t('marketing.automations.secret')}>
        <p>{t('marketing.automations.secretOnce')}</p>
        <CopyText text={secret} label={t('marketing.automations.secret')} />
      </Section>
    )}
    <p>
      <a class="button main" href={href(pathOf('automations', uuid))}>
        {t('marketing.automations.open')}
      </a>
    </p>
  </RecordPage>
);

interface PartProps {
  form: Form<AutomationValues>;
}

const When = ({ form }: PartProps) => (
  <fieldset>
    <legend>{t('marketing.automations.when')}</legend>
    <EventPicker
      label={t('marketing.automations.trigger')}
      help={t('marketing.automations.triggerHelp')}
      options={triggerOptions()}
      {...form.field('trigger')}
    />
    <div class="fields">
      <DurationField
        label={t('marketing.automations.delay')}
        help={t('marketing.automations.delayHelp')}
        base="minutes"
        {...form.field('delay_minutes')}
      />
      <DurationField
        label={t('marketing.automations.maxAge')}
        help={t('marketing.automations.maxAgeHelp')}
        base="hours"
        {...form.field('max_age_hours')}
      />
    </div>
  </fieldset>
);

/** Fields of the payload that are asked for most. */
const knownFields = [
  'context.order.total_order_price',
  'context.order.segments',
  'context.order.language',
  'context.order.address.country_code',
  'context.shipments.carrier_reference',
  'event_data.phase',
  'event_data.event_name',
  'context.claims.status',
  'context.claims.reason',
];

function If({ form }: PartProps) {
  const fields = useId();
  const { conditions, mode } = form.values.value;
  return (
    <>
      <datalist id={fields}>
        {knownFields.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {conditions.length > 1 && (
        <SelectField
          name="mode"
          label={t('marketing.automations.mode')}
          value={mode}
          isReadOnly={form.isReadOnly}
          onValue={(value) => form.set({ mode: value as AutomationValues['mode'] })}
          options={(['all', 'any'] as const).map((value) => ({
            value,
            label: t(`marketing.automations.modes.${value}`),
          }))}
        />
      )}
      <Rows
        legend={t('marketing.automations.if')}
        help={t(conditions.length === 0 ? 'marketing.automations.always' : 'marketing.automations.valueHelp')}
        fault={form.faultOfList('conditions')}
        rows={conditions}
        nameOf={({ field }) => field}
        add={t('marketing.automations.addCondition')}
        make={newCondition}
        onRows={(rows) => form.set({ conditions: rows })}
        isReadOnly={form.isReadOnly}
        max={20}
      >
        {(row, i, change) => (
          <div class="fields">
            <TextField
              {...inRow(form, 'conditions', i, 'field', row.field, change)}
              label={t('marketing.automations.field')}
              list={fields}
            />
            <SelectField
              {...inRow(form, 'conditions', i, 'operator', row.operator, change)}
              label={t('marketing.automations.operator')}
              options={operators.map((value) => ({ value, label: t(`marketing.automations.operators.${value}`) }))}
            />
            <TextField
              {...inRow(form, 'conditions', i, 'value', row.value, change)}
              label={t('marketing.automations.value')}
            />
          </div>
        )}
      </Rows>
    </>
  );
}

const Do = ({ form }: PartProps) => (
  <Rows
    legend={t('marketing.automations.then')}
    fault={form.faultOfList('actions')}
    rows={form.values.value.actions}
    nameOf={({ type }) => wordOf('marketing.automations.types', type)}
    add={t('marketing.automations.addAction')}
    make={newAction}
    onRows={(actions) => form.set({ actions })}
    isReadOnly={form.isReadOnly}
    max={10}
  >
    {(row, i, change) => (
      <div class="fields">
        <SelectField
          {...inRow(form, 'actions', i, 'type', row.type, change)}
          label={t('marketing.automations.action')}
          options={actionTypes.map((value) => ({ value, label: t(`marketing.automations.types.${value}`) }))}
        />
        <Parameter form={form} action={row} index={i} change={change} />
      </div>
    )}
  </Rows>
);

interface ParameterProps extends PartProps {
  action: ActionValues;
  index: number;
  change: (changes: Record<string, string>) => void;
}

function Parameter({ form, action, index, change }: ParameterProps) {
  const bound = (name: 'url' | 'integration' | 'status' | 'segment') =>
    inRow(form, 'actions', index, name, action[name], change);
  if (action.type === 'webhook') {
    return <TextField {...bound('url')} label={t('marketing.automations.url')} type="url" />;
  }
  if (action.type === 'integration') {
    const options = notifiedIntegrations.map((value) => ({ value, label: integrationName(value) }));
    return <SelectField {...bound('integration')} label={t('marketing.automations.integration')} options={options} />;
  }
  if (action.type === 'update_claim') {
    const options = claimStatuses.map((value) => ({ value, label: wordOf('marketing.automations.claims', value) }));
    return <SelectField {...bound('status')} label={t('marketing.automations.claimStatus')} options={options} />;
  }
  return <TextField {...bound('segment')} label={t('marketing.segment')} maxLength={255} />;
}
