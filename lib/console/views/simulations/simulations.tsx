import { type Answer, call } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { href, inShop } from '../../app/router.ts';
import { can } from '../../app/session.ts';
import { t } from '../../texts/texts.ts';
import { type Column, Pager, pageOf, perPage, RowLink, Table } from '../../ui/list.tsx';
import { Page } from '../../ui/parts.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { exact, Time } from '../../ui/time.tsx';
import { journeyTitle } from './journey-words.ts';
import { doneOf } from './move.ts';
import { SimulationState } from './simulation-state.tsx';

type Simulation = Answer<'listSimulations'>[number];

const columns = (): Column<Simulation>[] => [
  {
    title: t('simulations.order'),
    cell: ({ uuid, order_number }) => (
      <RowLink to={href(inShop(`/simulations/${uuid}`))}>
        <bdi>{order_number}</bdi>
      </RowLink>
    ),
  },
  { title: t('simulations.journey'), cell: ({ journey }) => journeyTitle(journey) },
  { title: t('simulations.status'), cell: ({ status }) => <SimulationState status={status} /> },
  { title: t('simulations.clock.title'), cell: ({ clock }) => <time dateTime={clock}>{exact(clock)}</time> },
  {
    title: t('simulations.steps.title'),
    cell: (one) => t('simulations.steps.short', { done: doneOf(one), all: one.steps.length }),
    isNumber: true,
  },
  { title: t('simulations.started'), cell: ({ created_at }) => <Time at={created_at} />, isMinor: true },
];

const StartLink = () =>
  can('startSimulation') ? (
    <a class="button main" href={href(inShop('/simulations/new'))}>
      {t('simulations.start.title')}
    </a>
  ) : null;

export default function Simulations() {
  const page = pageOf();
  const simulations = useResource(`${page}`, (signal) =>
    call('listSimulations', { query: { page, per_page: perPage }, signal }),
  );
  const isEmpty = simulations.value.value?.length === 0 && page === 1;
  return (
    <Page title={t('simulations.title')} actions={!isEmpty && <StartLink />}>
      <Loaded resource={simulations} tried={t('simulations.listTried')}>
        {(rows) =>
          rows.length === 0 && page === 1 ? (
            <Empty title={t('simulations.none')} text={t('simulations.noneText')} icon="play">
              <StartLink />
            </Empty>
          ) : (
            <>
              <Table caption={t('simulations.title')} columns={columns()} rows={rows} rowKey={({ uuid }) => uuid} />
              <Pager shown={rows.length} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}
