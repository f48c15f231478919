import { useSignal } from '@preact/signals';
import { call } from '../../api/client.ts';
import { href, inShop } from '../../app/router.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { DeliveryState } from '../../ui/delivery-state.tsx';
import { EventPicker } from '../../ui/event-picker.tsx';
import { eventOptions } from '../../ui/event-refs.ts';
import { Section } from '../../ui/parts.tsx';
import { FailureBox } from '../../ui/states.tsx';
import { AttemptResult } from './attempt-result.tsx';
import { figuresOf } from './delivery-figures.ts';
import { type DeliveryDetails, endpointTarget } from './target.ts';
import { useUntilEnded } from './until-ended.ts';

/** Sends an invented event and shows what the endpoint answers. @param onChange after it was sent, and after each attempt */
export function TestEvent({ uuid, onChange }: { uuid: string; onChange: () => void }) {
  const ref = useSignal('shipments/delivered/SUCCESSFULLY_DELIVERED');
  const sent = useSignal<string | undefined>(undefined);
  const failure = useSignal<unknown>(undefined);
  const isBusy = useSignal(false);
  const send = async () => {
    isBusy.value = true;
    failure.value = undefined;
    try {
      const { delivery_id } = await call('testWebhook', { params: { uuid }, body: { ref: ref.value } });
      sent.value = delivery_id;
    } catch (error) {
      failure.value = error;
    }
    isBusy.value = false;
  };
  return (
    <Section title={t('developers.test.title')}>
      <form
        class="card stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy.value) send();
        }}
      >
        <p>{t('developers.test.text')}</p>
        <div class="filters test-event">
          <EventPicker
            label={t('developers.test.event')}
            name="ref"
            value={ref.value}
            onValue={(value) => {
              ref.value = value;
            }}
            options={eventOptions()}
          />
          <Button type="submit" isBusy={isBusy.value}>
            {t('developers.test.send')}
          </Button>
        </div>
        {failure.value !== undefined && (
          <FailureBox failure={failure.value} tried={t('developers.test.tried')} retry={send} />
        )}
        <div role="status">
          {sent.value && <Sent key={sent.value} uuid={uuid} id={sent.value} onChange={onChange} />}
        </div>
      </form>
    </Section>
  );
}

const justSent = { status: 'pending', last_error: null, next_attempt_at: null } as const;

function Sent({ uuid, id, onChange }: { uuid: string; id: string; onChange: () => void }) {
  const delivery = useUntilEnded<DeliveryDetails>(id, (signal) => endpointTarget(uuid).delivery(id, signal), onChange);
  const found = delivery.value.value;
  const last = found?.attempts.at(-1);
  return (
    <p class="actions">
      <DeliveryState delivery={found ? figuresOf(found, false) : justSent} />
      {last && <AttemptResult attempt={last} />}
      <a href={href(inShop(`/endpoints/${uuid}/deliveries/${id}`))}>{t('developers.test.open')}</a>
    </p>
  );
}
