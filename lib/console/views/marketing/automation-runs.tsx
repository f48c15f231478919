import type { AutomationRun } from '#schemas/families/automations.ts';
import { call } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import type { ViewProps } from '../../app/route.ts';
import { href, inShop } from '../../app/router.ts';
import { t, wordOf } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { eventText } from '../../ui/event-refs.ts';
import { Pager, pageOf, perPage, Table } from '../../ui/list.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { State, tones } from '../../ui/tone.tsx';
import { AutomationTabs } from './automation.tsx';
import { RecordPage } from './records.tsx';

export default function AutomationRuns({ params: { uuid = '' } }: ViewProps) {
  const page = pageOf();
  const runs = useResource(`${page}`, (signal) =>
    call('listAutomationRuns', { params: { automation_id: uuid }, query: { page, per_page: perPage }, signal }),
  );
  return (
    <RecordPage
      kind="automations"
      title={t('marketing.runs.title')}
      actions={<Button onClick={runs.reload}>{t('marketing.runs.reload')}</Button>}
    >
      <AutomationTabs uuid={uuid} />
      <Loaded resource={runs} tried={t('marketing.runs.tried')}>
        {(rows) =>
          rows.length === 0 && page === 1 ? (
            <Empty title={t('marketing.runs.empty')} text={t('marketing.runs.emptyText')} icon="bolt" />
          ) : (
            <>
              <Table caption={t('marketing.runs.title')} columns={columns()} rows={rows} rowKey={({ id }) => id} />
              <Pager shown={rows.length} />
            </>
          )
        }
      </Loaded>
    </RecordPage>
  );
}

const columns = () => [
  { title: t('marketing.runs.time'), cell: ({ time }: AutomationRun) => <Time at={time} /> },
  {
    title: t('marketing.status'),
    cell: ({ status, reason }: AutomationRun) => (
      <>
        <State tone={tones.run[status]}>{t(`marketing.runs.statuses.${status}`)}</State>
        {reason && <p class="muted">{t(`marketing.runs.reasons.${reason}`)}</p>}
      </>
    ),
  },
  { title: t('marketing.runs.event'), cell: ({ ref }: AutomationRun) => eventText(ref) },
  {
    title: t('marketing.runs.order'),
    cell: ({ order_id }: AutomationRun) => (
      <a href={href(inShop(`/orders/${order_id}`))}>{t('marketing.runs.openOrder')}</a>
    ),
  },
  {
    title: t('marketing.automations.if'),
    cell: ({ conditions }: AutomationRun) => <Outcomes conditions={conditions} />,
  },
  {
    title: t('marketing.automations.then'),
    cell: ({ actions }: AutomationRun) => (
      <ul>
        {actions.map((action, i) => (
          <li key={i}>
            {wordOf('marketing.automations.types', action.type)}: {t(`marketing.runs.outcomes.${action.status}`)}
            {action.reason && <span class="muted"> {action.reason}</span>}
          </li>
        ))}
      </ul>
    ),
  },
];

/** Whether each condition was met, in words. */
export const Outcomes = ({ conditions }: Pick<AutomationRun, 'conditions'>) =>
  conditions.length === 0 ? (
    <span>{t('marketing.automations.always')}</span>
  ) : (
    <ul>
      {conditions.map(({ field, operator, met }, i) => (
        <li key={i}>
          <State tone={met ? 'arrived' : 'quiet'}>{t(met ? 'marketing.runs.met' : 'marketing.runs.notMet')}</State>{' '}
          <code>{field}</code> {t(`marketing.automations.operators.${operator}`)}
        </li>
      ))}
    </ul>
  );
