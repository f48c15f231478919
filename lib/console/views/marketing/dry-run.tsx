import { type Answer, call, Failure } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import type { ViewProps } from '../../app/route.ts';
import { href, inShop, setQuery } from '../../app/router.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { filter } from '../../ui/list.tsx';
import { Section } from '../../ui/parts.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { State } from '../../ui/tone.tsx';
import { AutomationTabs } from './automation.tsx';
import { Outcomes } from './automation-runs.tsx';
import { OrderField } from './order-field.tsx';
import { RecordPage } from './records.tsx';

type Result = Answer<'dryRunAutomation'>;

/** What an automation would have done, for the last days or for one order. */
export default function DryRun({ params: { uuid = '' } }: ViewProps) {
  const order = filter('order');
  const result = useResource(order, (signal) => resultOf(uuid, order, signal));
  return (
    <RecordPage kind="automations" title={t('marketing.dryRun.title')}>
      <AutomationTabs uuid={uuid} />
      <p>{t('marketing.dryRun.intro')}</p>
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          const entered = String(new FormData(event.currentTarget).get('order')).trim();
          if (entered === order) result.reload();
          else setQuery({ order: entered }, { replace: false });
        }}
      >
        <OrderField label={t('marketing.dryRun.order')} help={t('marketing.dryRun.orderHelp')} order={order} />
        <Button kind="main" type="submit" isBusy={result.isLoading.value}>
          {t('marketing.dryRun.run')}
        </Button>
      </form>
      <Loaded resource={result} tried={t('marketing.dryRun.tried')}>
        {(found) => (found.checks ? <Checks checks={found.checks} /> : <Summary result={found} />)}
      </Loaded>
    </RecordPage>
  );
}

async function resultOf(automation_id: string, order_number: string, signal: AbortSignal): Promise<Result> {
  const params = { automation_id };
  if (order_number === '') return call('dryRunAutomation', { params, body: {}, signal });
  const [order] = await call('searchOrders', { query: { order_number, per_page: 1 }, signal });
  if (!order)
    throw new Failure('api', { status: 404, message: t('marketing.explain.unknown', { order: order_number }) });
  return call('dryRunAutomation', { params, body: { order_id: order.uuid }, signal });
}

const Summary = ({ result: { matched, orders, events, has_more, examples } }: { result: Result }) => (
  <>
    <Section title={t('marketing.dryRun.result')}>
      <p class="sentence">{t('marketing.dryRun.matched', { count: matched })}</p>
      <p class="muted">{t('marketing.dryRun.checked', { orders, events })}</p>
      {has_more && <p class="muted">{t('marketing.dryRun.more')}</p>}
    </Section>
    {examples.length > 0 && (
      <Section title={t('marketing.dryRun.examples')}>
        <ul class="verdicts">
          {examples.map(({ time, ref, order_id, subject_id }) => (
            <li class="card" key={`${time} ${ref} ${subject_id}`}>
              <p>
                <Time at={time} /> <code>{ref}</code>
              </p>
              <p>
                <a href={href(inShop(`/orders/${order_id}`))}>{t('marketing.runs.openOrder')}</a>
              </p>
            </li>
          ))}
        </ul>
      </Section>
    )}
  </>
);

const Checks = ({ checks }: { checks: NonNullable<Result['checks']> }) => (
  <Section title={t('marketing.dryRun.result')}>
    {checks.length === 0 && <p class="sentence">{t('marketing.dryRun.noEvent')}</p>}
    <ol class="verdicts">
      {checks.map(({ time, ref, subject_id, would_run, reason, conditions }) => (
        <li class="card stack" key={`${time} ${ref} ${subject_id}`}>
          <p>
            <State tone={would_run ? 'arrived' : 'quiet'}>
              {t(would_run ? 'marketing.dryRun.wouldRun' : 'marketing.dryRun.wouldNotRun')}
            </State>{' '}
            <Time at={time} /> <code>{ref}</code>
          </p>
          {reason && <p>{t(`marketing.runs.reasons.${reason}`)}</p>}
          <Outcomes conditions={conditions} />
        </li>
      ))}
    </ol>
  </Section>
);
