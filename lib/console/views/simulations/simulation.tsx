import { useSignal } from '@preact/signals';
import type { Simulation } from '#schemas/families/simulations.ts';
import { call, Failure } from '../../api/client.ts';
import { type Resource, useResource } from '../../api/resource.ts';
import type { ViewProps } from '../../app/route.ts';
import { go, href, inShop } from '../../app/router.ts';
import { can } from '../../app/session.ts';
import { useTitle } from '../../app/title.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { CopyText } from '../../ui/copy.tsx';
import { notify } from '../../ui/notices.tsx';
import { Facts, Page, Section } from '../../ui/parts.tsx';
import { Empty, Loaded, textOf } from '../../ui/states.tsx';
import { exact } from '../../ui/time.tsx';
import { TimelineSection } from '../../ui/timeline.tsx';
import { Clock } from './clock.tsx';
import { Deliveries } from './deliveries.tsx';
import { useFollowedTimeline } from './followed-timeline.ts';
import { journeyTitle } from './journey-words.ts';
import { doneOf } from './move.ts';
import { removeWhole } from './remove.ts';
import { SimulationState } from './simulation-state.tsx';
import { Steps } from './steps.tsx';
import { TrackingPage } from './tracking-page.tsx';

export default function SimulationView({ params }: ViewProps) {
  const uuid = params.id!;
  const simulation = useResource(uuid, (signal) => readSimulation(uuid, signal));
  return (
    <Loaded resource={simulation} tried={t('simulations.tried')}>
      {(found) =>
        found ? (
          <Found simulation={found} resource={simulation} />
        ) : (
          <Page title={t('simulations.gone')} up={up()}>
            <Empty title={t('simulations.gone')} text={t('simulations.goneText')} icon="play" />
          </Page>
        )
      }
    </Loaded>
  );
}

const up = () => ({ path: inShop('/simulations'), label: t('simulations.title') });

/** Null if the shop has no such simulation. */
async function readSimulation(uuid: string, signal: AbortSignal): Promise<Simulation | null> {
  try {
    return await call('getSimulation', { params: { uuid }, signal });
  } catch (error) {
    if (error instanceof Failure && (error.status === 404 || error.status === 422)) return null;
    throw error;
  }
}

interface FoundProps {
  simulation: Simulation;
  resource: Resource<Simulation | null>;
}

function Found({ simulation, resource }: FoundProps) {
  const { order_id, order_number, journey, status } = simulation;
  const title = t('simulations.named', { journey: journeyTitle(journey), number: order_number });
  useTitle(title);
  const state = `${simulation.clock} ${doneOf(simulation)}`;
  const timeline = useFollowedTimeline(order_id, state);
  return (
    <Page
      title={title}
      state={<SimulationState status={status} />}
      up={up()}
      actions={can('removeSimulation') && <Removal simulation={simulation} />}
    >
      <Clock
        simulation={simulation}
        onMoved={(moved) => {
          resource.value.value = moved;
        }}
        reload={resource.reload}
      />
      <div class="columns simulation">
        <div class="preview stack">
          <TrackingPage url={simulation.tracking_page_url} state={state} />
        </div>
        <div class="stack">
          <Section title={t('simulations.steps.title')}>
            <Steps simulation={simulation} />
          </Section>
          <SimulationFacts simulation={simulation} />
          {can('getWebhookDelivery') && (
            <Section title={t('simulations.deliveries.title')}>
              <Loaded resource={timeline} tried={t('timeline.tried')}>
                {(entries) => <Deliveries entries={entries} />}
              </Loaded>
            </Section>
          )}
          {/* The clock does not say when something was sent, so it has a list of its own. */}
          <TimelineSection timeline={timeline} without="delivery" />
        </div>
      </div>
    </Page>
  );
}

const SimulationFacts = ({ simulation }: { simulation: Simulation }) => (
  <Section title={t('simulations.one')}>
    <div class="card">
      <Facts
        facts={[
          [
            t('simulations.order'),
            <a href={href(inShop(`/orders/${simulation.order_id}`))}>
              <bdi>{simulation.order_number}</bdi>
            </a>,
          ],
          [t('simulations.start.at'), exact(simulation.start_at)],
          [t('simulations.integrations'), simulation.integrations ? t('common.yes') : t('common.no')],
          [t('simulations.emails'), simulation.emails ? t('common.yes') : t('common.no')],
          [t('simulations.id'), <CopyText text={simulation.uuid} />],
        ]}
      />
    </div>
  </Section>
);

function Removal({ simulation: { uuid, order_number } }: { simulation: Simulation }) {
  const isBusy = useSignal(false);
  const remove = async () => {
    const isSure = await confirm({
      title: t('simulations.remove.title', { number: order_number }),
      text: t('simulations.remove.text'),
      action: t('simulations.remove.action'),
    });
    if (!isSure) return;
    isBusy.value = true;
    try {
      if (await removeWhole(() => removal(uuid))) {
        notify(t('simulations.remove.done'));
        go(inShop('/simulations'), { force: true });
      } else notify(t('simulations.remove.more'), 'attention');
    } catch (error) {
      notify(`${t('simulations.remove.tried')} ${textOf(error)}`, 'failed');
    }
    isBusy.value = false;
  };
  return (
    <Button kind="danger" isBusy={isBusy.value} onClick={remove}>
      {t('simulations.remove.action')}
    </Button>
  );
}

/** Somebody else, or a request whose answer was lost, may have removed the rest. */
async function removal(uuid: string): Promise<{ removed: boolean }> {
  try {
    return await call('removeSimulation', { params: { uuid } });
  } catch (error) {
    if (error instanceof Failure && error.key === 'simulation_not_found') return { removed: true };
    throw error;
  }
}
