import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { type Call, call, Failure } from '../../api/client.ts';
import { faultText } from '../../texts/errors.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { TextInput } from '../../ui/fields.tsx';
import { FailureBox } from '../../ui/states.tsx';
import { State } from '../../ui/tone.tsx';

interface TestEmailProps {
  /** What the preview shows. */
  sample: Omit<Call<'sendTestEmail'>['body'] & object, 'to'>;
}

/** Sends what the preview shows, to somebody of the shop. */
export function TestEmail({ sample }: TestEmailProps) {
  const to = useSignal('');
  const isBusy = useSignal(false);
  const sentTo = useSignal('');
  const failure = useSignal<unknown>(undefined);
  const form = useRef<HTMLFormElement>(null);
  const send = async () => {
    if (isBusy.value) return;
    isBusy.value = true;
    sentTo.value = '';
    failure.value = undefined;
    const address = to.value.trim();
    try {
      await call('sendTestEmail', { body: { ...sample, to: address } });
      sentTo.value = address;
    } catch (error) {
      failure.value = error;
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid], .failure')?.focus());
    }
    isBusy.value = false;
  };
  const fault = addressFault(failure.value);
  return (
    <form
      ref={form}
      class="stack card test-email"
      noValidate
      onSubmit={(submitted) => {
        submitted.preventDefault();
        send();
      }}
    >
      <h3>{t('admin.emails.test')}</h3>
      <TextInput
        label={t('admin.emails.testTo')}
        help={t('admin.emails.testHelp')}
        name="test-to"
        type="email"
        autoComplete="off"
        value={to.value}
        fault={fault}
        onInput={({ currentTarget }) => {
          to.value = currentTarget.value;
        }}
      />
      {failure.value !== undefined && fault === undefined && (
        <FailureBox failure={failure.value} tried={t('admin.emails.testFailed')} />
      )}
      <div class="actions">
        <Button type="submit" isBusy={isBusy.value}>
          {t('admin.emails.testSend')}
        </Button>
        <span role="status">
          {sentTo.value !== '' && <State tone="arrived">{t('admin.emails.testSent', { to: sentTo.value })}</State>}
        </span>
      </div>
    </form>
  );
}

/** What the service says about the address, which then stands beside the field. */
function addressFault(failure: unknown): string | undefined {
  if (!(failure instanceof Failure)) return undefined;
  const found = failure.faults.find(({ loc }) => loc.at(-1) === 'to');
  return found && (found.msg.includes('pattern') ? t('admin.emails.testNoAddress') : faultText(found.msg));
}
