import type { Discount as Stored } from '#schemas/families/discounts.ts';
import { call } from '../../api/client.ts';
import type { Resource } from '../../api/resource.ts';
import type { ViewProps } from '../../app/route.ts';
import { can } from '../../app/session.ts';
import { t } from '../../texts/texts.ts';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { FormView } from '../../ui/form.tsx';
import { Loaded } from '../../ui/states.tsx';
import { nameOf, typeOptions } from './discounts.tsx';
import { only, RecordPage, RemoveButton, useRecord, useRecordForm } from './records.tsx';
import { orNull } from './typed-texts.ts';

export default function Discount({ params }: ViewProps) {
  const discount = useRecord(params.uuid, async (uuid, signal) =>
    only(await call('searchDiscounts', { query: { uuid }, signal })),
  );
  return (
    <Loaded resource={discount} tried={t('marketing.discounts.triedOne')}>
      {() => <DiscountForm resource={discount} />}
    </Loaded>
  );
}

const toValues = (discount: Stored | null) => ({
  title: discount?.title ?? '',
  code: discount?.code ?? '',
  type: discount?.type ?? 'order',
  value_type: discount?.value_type ?? '',
  value: discount?.value == null ? '' : String(discount.value),
  target_selection: discount?.target_selection ?? '',
  target_type: discount?.target_type ?? '',
});

type Values = { [Name in keyof ReturnType<typeof toValues>]: string };

function toBody({ title, code, value, ...choices }: Values) {
  return {
    title: orNull(title),
    code: orNull(code),
    value: value === '' ? null : Number(value),
    value_type: orNull(choices.value_type) as Stored['value_type'],
    target_selection: orNull(choices.target_selection) as Stored['target_selection'],
    target_type: orNull(choices.target_type) as Stored['target_type'],
  };
}

function DiscountForm({ resource }: { resource: Resource<Stored | null> }) {
  const mayChange = can('updateDiscount');
  const { form, record, onSaved, ifMatch } = useRecordForm<Stored, Values>({
    kind: 'discounts',
    resource,
    toValues,
    isReadOnly: !mayChange,
    create: (values) => call('createDiscount', { body: { ...toBody(values), type: values.type as Stored['type'] } }),
    update: ({ uuid }, values, ifMatch) => call('updateDiscount', { params: { uuid }, body: toBody(values), ifMatch }),
  });
  const choice = (name: 'value_type' | 'target_selection' | 'target_type', values: readonly string[]) => ({
    ...form.field(name),
    options: [
      { value: '', label: t('marketing.discounts.notSaid') },
      ...values.map((value) => ({ value, label: t(`marketing.discounts.${name}.${value}` as never) })),
    ],
  });
  return (
    <RecordPage
      kind="discounts"
      title={record ? nameOf(record) : t('marketing.discounts.new')}
      actions={
        record &&
        can('deleteDiscount') && (
          <RemoveButton
            kind="discounts"
            name={nameOf(record)}
            remove={async () => call('deleteDiscount', { params: { uuid: record.uuid }, ifMatch: await ifMatch() })}
          />
        )
      }
    >
      <FormView
        form={form}
        tried={t('marketing.discounts.notSaved')}
        action={record ? t('common.save') : t('marketing.discounts.create')}
        onSaved={onSaved}
      >
        <TextField
          label={t('marketing.headline')}
          help={t('marketing.discounts.titleHelp')}
          isOptional
          maxLength={500}
          {...form.field('title')}
        />
        <TextField
          label={t('marketing.discounts.code')}
          help={t('marketing.discounts.codeHelp')}
          isOptional
          maxLength={255}
          {...form.field('code')}
        />
        <SelectField
          label={t('marketing.type')}
          help={record ? t('marketing.discounts.typeFixed') : undefined}
          options={typeOptions()}
          {...form.field('type')}
          isReadOnly={record !== null || form.isReadOnly}
        />
        <div class="fields">
          <TextField
            label={t('marketing.discounts.value')}
            isOptional
            type="number"
            step="any"
            {...form.field('value')}
          />
          <SelectField
            label={t('marketing.discounts.valueType')}
            {...choice('value_type', ['percentage', 'fixed_amount'])}
          />
        </div>
        <div class="fields">
          <SelectField
            label={t('marketing.discounts.targetType')}
            {...choice('target_type', ['line_item', 'shipping_line'])}
          />
          <SelectField
            label={t('marketing.discounts.targetSelection')}
            {...choice('target_selection', ['all', 'group', 'specific'])}
          />
        </div>
      </FormView>
    </RecordPage>
  );
}
