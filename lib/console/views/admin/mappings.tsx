import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { type Answer, call, callWithEtag } from '../../api/client.ts';
import { t, wordOf } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/fields.tsx';
import type { Form } from '../../ui/form.tsx';
import { Page } from '../../ui/parts.tsx';
import { type SaveMore, SettingsForm, type Stored } from './settings-form.tsx';

const kinds = ['shop_system_1.order', 'shop_system_2.order', 'shop_system_3.order'] as const;
type Kind = (typeof kinds)[number];

type Rule = NonNullable<Answer<'getMappings'>['data'][Kind]>[number];
/** A rule has a number of its own, so that a field keeps its focus when the rules move. */
type Row = Rule & { row: number };
type Values = Record<Kind, Row[]>;

/** A target may be any text: one that is no field of an order becomes a note with that name. */
const targets = [
  'order_name',
  'email_id',
  'external_customer_id',
  'financial_status',
  'segments',
  'total_order_price',
  'sub_total_price',
  'shipping_price',
  'discount_price',
  'weight',
  'address.name',
  'address.company',
  'address.street',
  'address.address_line_1',
  'address.address_line_2',
  'address.zip_code',
  'address.city',
  'address.province',
  'address.country',
  'address.country_code',
  'address.phone',
];

/** What each system has for what merchants add to an order. Any other type is a path in what the system sends. */
const addedTypes = {
  'shop_system_1.order': 'note_attribute',
  'shop_system_2.order': 'custom_field',
  'shop_system_3.order': 'meta_data',
} as const satisfies Record<Kind, string>;

let rows = 0;
const toRow = (rule: Rule): Row => ({ ...rule, row: ++rows });
const toRule = ({ source, target }: Row): Rule => ({ source, target });

async function read(): Promise<Stored<Values>> {
  const { answer, etag } = await callWithEtag('getMappings');
  const values = Object.fromEntries(kinds.map((kind) => [kind, (answer.data[kind] ?? []).map(toRow)]));
  return { values: values as Values, etag };
}

const save = (_changes: Partial<Values>, ifMatch: string | undefined, { values }: SaveMore<Values>) => {
  const data = Object.fromEntries(kinds.map((kind) => [kind, values[kind].map(toRule)]));
  return call('setMappings', { body: { data }, ifMatch });
};

/** Which field of the shop's system goes into which field of an order. Its own system comes first. */
export default function Mappings() {
  const provider = useSignal<string | null>(null);
  const isOwn = (kind: Kind) => kind === `${provider.value}.order`;
  const readBoth = async () => {
    const [shop, stored] = await Promise.all([call('getShop'), read()]);
    provider.value = shop.shop_provider;
    return stored;
  };
  return (
    <Page title={t('admin.mappings.title')}>
      <p>{t('admin.mappings.intro')}</p>
      <datalist id="mapping-targets">
        {targets.map((target) => (
          <option key={target} value={target} />
        ))}
      </datalist>
      <SettingsForm<Values> read={readBoth} save={save} needs="setMappings">
        {(form) =>
          kinds
            .toSorted((one, other) => Number(isOwn(other)) - Number(isOwn(one)))
            .map((kind) => <Rules key={kind} kind={kind} form={form} />)
        }
      </SettingsForm>
    </Page>
  );
}

function Rules({ kind, form }: { kind: Kind; form: Form<Values> }) {
  const id = useId();
  const rules = form.values.value[kind];
  const set = (changed: Row[]) => form.set({ [kind]: changed } as Partial<Values>);
  const change = (at: number, rule: Partial<Rule>) =>
    set(rules.map((one, i) => (i === at ? { ...one, ...rule } : one)));
  const name = wordOf('admin.providers', kind.split('.')[0]!);
  const focusAdd = () => document.getElementById(id)?.focus();
  return (
    <fieldset>
      <legend>{name}</legend>
      {rules.length === 0 && <p class="muted">{t('admin.mappings.none')}</p>}
      <ol class="stack">
        {rules.map((rule, i) => (
          <li key={rule.row} class="rule card">
            <SelectField
              label={t('admin.mappings.type')}
              name={`${kind}.${i}.source.type`}
              value={rule.source.type}
              fault={form.faultOf(`data.${kind}.${i}.source.type`)}
              isReadOnly={form.isReadOnly}
              onValue={(type) => change(i, { source: { ...rule.source, type } })}
              options={typeOptions(kind, rule.source.type)}
            />
            <TextField
              label={t(`admin.mappings.keys.${rule.source.type === addedTypes[kind] ? addedTypes[kind] : 'field'}`)}
              name={`${kind}.${i}.source.key`}
              value={rule.source.key}
              fault={form.faultOf(`data.${kind}.${i}.source.key`)}
              isReadOnly={form.isReadOnly}
              onValue={(key) => change(i, { source: { ...rule.source, key } })}
            />
            <TextField
              label={t('admin.mappings.target')}
              name={`${kind}.${i}.target`}
              value={rule.target}
              fault={form.faultOf(`data.${kind}.${i}.target`)}
              isReadOnly={form.isReadOnly}
              onValue={(target) => change(i, { target })}
              list="mapping-targets"
            />
            {!form.isReadOnly && (
              <div class="actions">
                {i > 0 && (
                  <Button
                    aria-label={t('admin.mappings.upOne', { number: i + 1 })}
                    onClick={() => set(rules.with(i - 1, rule).with(i, rules[i - 1]!))}
                  >
                    {t('admin.mappings.up')}
                  </Button>
                )}
                <Button
                  kind="danger"
                  aria-label={t('admin.mappings.removeOne', { number: i + 1 })}
                  onClick={() => {
                    set(rules.toSpliced(i, 1));
                    focusAdd();
                  }}
                >
                  {t('admin.mappings.remove')}
                </Button>
              </div>
            )}
          </li>
        ))}
      </ol>
      {!form.isReadOnly && (
        <div class="actions">
          <Button
            id={id}
            onClick={() => set([...rules, toRow({ source: { type: addedTypes[kind], key: '' }, target: '' })])}
          >
            {t('admin.mappings.add', { name })}
          </Button>
        </div>
      )}
    </fieldset>
  );
}

/** A type that somebody set by the API stays. */
function typeOptions(kind: Kind, present: string) {
  const types = [addedTypes[kind], 'field'] as const;
  return [
    ...types.map((value) => ({ value, label: t(`admin.mappings.types.${value}`) })),
    ...((types as readonly string[]).includes(present) ? [] : [{ value: present, label: present }]),
  ];
}
