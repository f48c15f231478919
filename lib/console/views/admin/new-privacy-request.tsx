import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { orderTexts, privacyLimits } from '#schemas/catalogues/limits.ts';
import type { PrivacyRequest } from '#schemas/families/privacy.ts';
import { call } from '../../api/client.ts';
import { currentShop, go, inShop } from '../../app/router.ts';
import { useTitle } from '../../app/title.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextArea, TextField } from '../../ui/fields.tsx';
import { FormView, useForm } from '../../ui/form.tsx';
import { notify } from '../../ui/notices.tsx';
import { Page, Section } from '../../ui/parts.tsx';
import { FailureBox, Loaded } from '../../ui/states.tsx';
import { useFollowedRequest } from './followed-request.ts';
import { requestBody, type Values } from './privacy-form.ts';
import { progressText, RequestState, StoresTable } from './privacy-words.tsx';

const empty: Values = { kind: 'disclosure', email_id: '', external_customer_id: '', order_numbers: '', reference: '' };

/** Who is meant. An erasure is counted first, and asks once more with what it would take. */
export default function NewPrivacyRequest() {
  const counted = useSignal<{ uuid: string; values: Values } | undefined>(undefined);
  const form = useForm<Values>({
    initial: empty,
    fieldOf: (place) => (place === '' ? 'email_id' : place),
    save: async (values) => {
      counted.value = undefined;
      const isErasure = values.kind === 'erasure';
      const { uuid } = await call('createPrivacyRequest', { body: requestBody(values, isErasure) });
      if (isErasure) counted.value = { uuid, values };
      else showRequest(uuid, t('admin.privacy.disclosureStarted'));
    },
  });
  useTitle(t('admin.privacy.ask'));
  const { values } = form;
  const isErasure = values.value.kind === 'erasure';
  const shown = counted.value;
  // What was counted was another question as soon as something is typed.
  const isSame = shown !== undefined && JSON.stringify(shown.values) === JSON.stringify(values.value);
  return (
    <Page title={t('admin.privacy.ask')} up={{ path: inShop('/settings/privacy'), label: t('admin.privacy.title') }}>
      <FormView
        form={form}
        tried={t('admin.privacy.notAsked')}
        action={t(isErasure ? 'admin.privacy.count' : 'admin.privacy.disclose')}
      >
        <SelectField
          label={t('admin.privacy.kind')}
          help={t(`admin.privacy.kindHelp.${values.value.kind}`)}
          {...form.field('kind')}
          onValue={(kind) => form.set({ kind: kind as Values['kind'] })}
          options={[
            { value: 'disclosure', label: t('admin.privacy.kinds.disclosure') },
            { value: 'erasure', label: t('admin.privacy.kinds.erasure') },
          ]}
        />
        <h2>{t('admin.privacy.who')}</h2>
        <p class="help">{t('admin.privacy.whoHelp')}</p>
        <div class="fields">
          <TextField
            label={t('admin.privacy.email')}
            {...form.field('email_id')}
            type="email"
            maxLength={orderTexts.email_id}
            autoComplete="off"
          />
          <TextField
            label={t('admin.privacy.customerId')}
            help={t('admin.privacy.customerIdHelp')}
            {...form.field('external_customer_id')}
            maxLength={orderTexts.external_customer_id}
            autoComplete="off"
          />
        </div>
        <TextArea
          label={t('admin.privacy.orderNumbers')}
          help={t('admin.privacy.orderNumbersHelp', { count: privacyLimits.orderNumbers })}
          {...form.field('order_numbers')}
          rows={3}
        />
        <TextField
          label={t('admin.privacy.reference')}
          help={t('admin.privacy.referenceHelp')}
          {...form.field('reference')}
          maxLength={privacyLimits.referenceCharacters}
          isOptional
        />
      </FormView>
      {shown && isSame && <Counted key={shown.uuid} uuid={shown.uuid} values={shown.values} />}
    </Page>
  );
}

function showRequest(uuid: string, said: string): void {
  notify(said);
  go(inShop(`/settings/privacy/${uuid}`), { force: true });
}

/** What would go, and the last question. */
function Counted({ uuid, values }: { uuid: string; values: Values }) {
  const request = useFollowedRequest(uuid);
  return (
    <Section title={t('admin.privacy.whatWouldGo')}>
      <Loaded resource={request} tried={t('admin.privacy.oneTried')} waiting={t('admin.privacy.outcomes.running')}>
        {(one) => (
          <div class="stack">
            <p role="status" class="state-line">
              <RequestState status={one.status} /> <span>{countText(one)}</span>
            </p>
            {one.stores.length > 0 && <StoresTable request={one} />}
            {one.status === 'done' && one.orders > 0 && <EraseForGood values={values} orders={one.orders} />}
          </div>
        )}
      </Loaded>
    </Section>
  );
}

function countText({ status, orders }: PrivacyRequest): string {
  if (status === 'running') return progressText(orders);
  if (status === 'failed') return t('admin.privacy.outcomes.failed');
  return orders === 0 ? t('admin.privacy.outcomes.nobody') : t('admin.privacy.wouldErase', { count: orders });
}

/** It cannot be undone, so nobody does it with one click. */
function EraseForGood({ values, orders }: { values: Values; orders: number }) {
  const typed = useSignal('');
  const fault = useSignal<string | undefined>(undefined);
  const isBusy = useSignal(false);
  const failure = useSignal<unknown>(undefined);
  const word = currentShop.value ?? '';
  const element = useRef<HTMLFormElement>(null);
  const erase = async () => {
    if (isBusy.value) return;
    fault.value = typed.value.trim() === word ? undefined : t('admin.privacy.typeFault', { word });
    if (fault.value) return element.current?.querySelector('input')?.focus();
    isBusy.value = true;
    failure.value = undefined;
    try {
      const { uuid } = await call('createPrivacyRequest', { body: requestBody(values, false) });
      showRequest(uuid, t('admin.privacy.erasureStarted'));
    } catch (error) {
      failure.value = error;
      isBusy.value = false;
    }
  };
  return (
    <form
      ref={element}
      class="card stack danger-zone"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        erase();
      }}
    >
      <h3>{t('admin.privacy.eraseTitle', { count: orders })}</h3>
      <p>{t('admin.privacy.eraseText')}</p>
      <TextField
        name="confirmation"
        label={t('admin.privacy.type', { word })}
        value={typed.value}
        fault={fault.value}
        autoComplete="off"
        onValue={(value) => {
          typed.value = value;
        }}
      />
      {failure.value !== undefined && <FailureBox failure={failure.value} tried={t('admin.privacy.notErased')} />}
      <div class="actions">
        <Button kind="danger" type="submit" isBusy={isBusy.value}>
          {t('admin.privacy.erase')}
        </Button>
      </div>
    </form>
  );
}
