import { useSignal } from '@preact/signals';
import { emailTarget } from '#schemas/catalogues/emails.ts';
import { useResource } from '../../api/resource.ts';
import { t } from '../../texts/texts.ts';
import { EmailTabs } from '../../ui/email-tabs.tsx';
import { Page } from '../../ui/parts.tsx';
import { State, tones } from '../../ui/tone.tsx';
import { DeliveryLog } from './delivery-log.tsx';
import { Recovery } from './recovery.tsx';
import { integrationTarget } from './target.ts';

/** What was mailed to customers, what was not, and why. */
export default function EmailLog() {
  const target = integrationTarget(emailTarget);
  // The log is worth reading without it.
  const health = useResource(emailTarget, (signal) => target.health(signal));
  const known = health.value.value;
  const revision = useSignal(0);
  const onSent = () => {
    revision.value++;
    return health.reload();
  };
  const circuit = known?.circuit.state ?? 'closed';
  return (
    <Page
      title={t('developers.emails.title')}
      actions={target.mayRecover && <Recovery target={target} health={known} onDone={onSent} />}
    >
      <EmailTabs />
      <p>{t('developers.emails.intro')}</p>
      {circuit !== 'closed' && (
        <p>
          <State tone={tones.sending[circuit]}>{t(`developers.emails.circuit.${circuit}`)}</State>
        </p>
      )}
      <DeliveryLog target={target} revision={revision.value} />
    </Page>
  );
}
