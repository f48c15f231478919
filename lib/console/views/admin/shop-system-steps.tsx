import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { webLink } from '#schemas/catalogues/links.ts';
import { call } from '../../api/client.ts';
import { href, inShop } from '../../app/router.ts';
import { can } from '../../app/session.ts';
import { t, wordOf } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Section } from '../../ui/parts.tsx';
import { FailureBox } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { State } from '../../ui/tone.tsx';
import { appZip } from './app-zip.ts';
import { type Connection, registeredAt, type StepState, systemOf, typesOf } from './shop-connection.ts';
import { AccessForm, SystemForm } from './shop-system-forms.tsx';
import type { Inbound, Setup } from './shop-system-read.ts';
import { systemName } from './shop-system-words.ts';
import type { WebhookWork } from './shop-webhook-work.ts';

interface StepsProps {
  connection: Connection;
  setup: Setup;
  inbound: Inbound | undefined;
  states: readonly StepState[];
  work: WebhookWork;
  onChanged: () => Promise<void>;
  onAppSaved: () => void;
}

/** The same four steps for each system: choose it, give access, get its webhooks, place an order. */
export function Steps(props: StepsProps) {
  const { connection, states } = props;
  const system = systemOf(connection);
  const isApp = system === 'shop_system_2';
  useLayoutEffect(keepFocus, [states.join()]);
  const step = (at: number, title: string, children: ComponentChildren, state?: ComponentChildren) => (
    <Step number={at + 1} title={title} isOpen={states[at] === 'next'} state={state ?? <Done state={states[at]!} />}>
      {children}
    </Step>
  );
  return (
    <Section title={t('admin.shopSystem.steps.title')}>
      <ol class="setup-steps">
        {step(0, t('admin.shopSystem.choose.title'), <Choose {...props} />, <Chosen connection={connection} />)}
        {isApp
          ? step(1, t('admin.shopSystem.app.title'), <GetApp {...props} />)
          : step(
              1,
              t('admin.shopSystem.access.title'),
              <Access {...props} />,
              connection.isKeyOutdated ? (
                <State tone="attention">{t('admin.shopSystem.steps.again')}</State>
              ) : undefined,
            )}
        {isApp
          ? step(2, t('admin.shopSystem.install.title'), <InstallApp {...props} />)
          : step(
              2,
              t('admin.shopSystem.register.title'),
              <Register {...props} />,
              <Count connection={connection} state={states[2]!} />,
            )}
        {step(3, t('admin.shopSystem.order.title'), <FirstOrder {...props} />)}
      </ol>
    </Section>
  );
}

/** Who did a step goes on with the next one: in a step that was folded, the focus would be lost. */
function keepFocus(): void {
  const folded = document.activeElement?.closest('.setup-steps details:not([open])');
  if (!folded || document.activeElement?.matches('summary')) return;
  const next = document.querySelector('.setup-steps details[open] > summary') ?? folded.querySelector('summary');
  (next as HTMLElement | null)?.focus();
}

interface StepProps {
  number: number;
  title: string;
  /** What is done can be opened again. */
  isOpen: boolean;
  state: ComponentChildren;
  children: ComponentChildren;
}

const Step = ({ number, title, isOpen, state, children }: StepProps) => (
  <li>
    <details class="card" open={isOpen}>
      <summary>
        <span class="step-number">{number}</span>
        <h3>{title}</h3>
        {state}
      </summary>
      <div class="stack">{children}</div>
    </details>
  </li>
);

function Done({ state }: { state: StepState }) {
  if (state === 'done') return <State tone="arrived">{t('admin.shopSystem.steps.done')}</State>;
  return state === 'next' ? (
    <State tone="moving">{t('admin.shopSystem.steps.next')}</State>
  ) : (
    <State tone="planned">{t('admin.shopSystem.steps.later')}</State>
  );
}

function Chosen({ connection }: { connection: Connection }) {
  const { provider } = connection;
  const isChosen = provider !== null && provider === systemOf(connection);
  return isChosen ? <State tone="arrived">{wordOf('admin.providers', provider)}</State> : <Done state="next" />;
}

/** How many are registered, once some are. */
function Count({ connection, state }: { connection: Connection; state: StepState }) {
  const system = systemOf(connection);
  const total = system ? typesOf(system).length : 0;
  const count = system ? registeredAt(system, connection).length : 0;
  if (count === 0 || count === total) return <Done state={state} />;
  return <State tone="moving">{t('admin.shopSystem.steps.some', { count, total })}</State>;
}

/** Who may not change settings is told who may. */
const WhoCan = () => <p class="help">{t('admin.shopSystem.steps.who')}</p>;

const Later = () => <p class="help">{t('admin.shopSystem.steps.afterChoice')}</p>;

/** What to do, one thing after the other. */
const ToDo = ({ children }: { children: readonly ComponentChildren[] }) => (
  <ol class="to-do">
    {children.map((child, i) => (
      <li key={i}>{child}</li>
    ))}
  </ol>
);

const Outside = ({ to, children }: { to: string; children: ComponentChildren }) => (
  <a href={to} target="_blank" rel="noreferrer">
    {children}
  </a>
);

function Choose({ connection, setup, onChanged }: StepsProps) {
  if (!can('updateShop')) return <WhoCan />;
  return <SystemForm connection={connection} shop={setup.shop} onSaved={onChanged} />;
}

/** An address of the shop, for links into its administration. */
const linkBase = (address: string | null | undefined): string | undefined =>
  webLink(address ?? '')
    ?.replace(/[?#].*$/, '')
    .replace(/\/+$/, '');

function Access({ connection, setup, onChanged }: StepsProps) {
  const system = systemOf(connection);
  if (!system || system === 'shop_system_2') return <Later />;
  if (!can('setIntegrationKey') || !setup.keys || !setup.addresses) return <WhoCan />;
  const address = linkBase(setup.addresses.shop_admin_url ?? setup.addresses.shop_url);
  return (
    <>
      {system === 'shop_system_3' ? (
        <ToDo>
          {[
            <>
              {t('admin.shopSystem.access.woo.open')}{' '}
              {address && (
                <Outside to={`${address}/wp-admin/admin.php?page=wc-settings&tab=advanced&section=keys&create-key=1`}>
                  {t('admin.shopSystem.access.woo.link')}
                </Outside>
              )}
            </>,
            t('admin.shopSystem.access.woo.rights'),
            t('admin.shopSystem.access.woo.paste'),
          ]}
        </ToDo>
      ) : (
        <ToDo>
          {[
            t('admin.shopSystem.access.shopify.open'),
            t('admin.shopSystem.access.shopify.rights'),
            t('admin.shopSystem.access.shopify.paste'),
          ]}
        </ToDo>
      )}
      <AccessForm
        key={system}
        system={system}
        addresses={setup.addresses}
        keys={setup.keys}
        isOutdated={connection.isKeyOutdated}
        onSaved={onChanged}
      />
    </>
  );
}

/** The manifest holds a secret of the shop: it is read only when somebody wants the app. */
function GetApp({ onAppSaved, connection }: StepsProps) {
  const isBusy = useSignal(false);
  const failure = useSignal<unknown>(undefined);
  if (!can('getAppManifest')) return <WhoCan />;
  const get = async () => {
    isBusy.value = true;
    failure.value = undefined;
    try {
      const { name, content } = appZip(await call('getAppManifest'), new Date());
      saveFile(name, content);
      onAppSaved();
    } catch (error) {
      failure.value = error;
    }
    isBusy.value = false;
  };
  return (
    <>
      <p>{t('admin.shopSystem.app.help')}</p>
      {connection.isConnected && <p class="help">{t('admin.shopSystem.app.again')}</p>}
      {failure.value !== undefined && (
        <FailureBox failure={failure.value} tried={t('admin.shopSystem.app.tried')} retry={get} />
      )}
      <div class="actions">
        <Button kind={connection.isConnected ? 'quiet' : 'main'} isBusy={isBusy.value} onClick={get}>
          <Icon name="download" /> {t('admin.shopSystem.app.action')}
        </Button>
      </div>
      <p class="help">{t('admin.shopSystem.app.secret')}</p>
    </>
  );
}

function saveFile(name: string, content: Uint8Array<ArrayBuffer>): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([content], { type: 'application/zip' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

function InstallApp({ setup, states }: StepsProps) {
  const address = linkBase(setup.addresses?.shop_url);
  return (
    <>
      <ToDo>
        {[
          <>
            {t('admin.shopSystem.install.open')}{' '}
            {address && (
              <Outside to={`${address}/admin#/sw/extension/my-extensions/listing/app`}>
                {t('admin.shopSystem.install.link')}
              </Outside>
            )}
          </>,
          t('admin.shopSystem.install.upload'),
          t('admin.shopSystem.install.accept'),
          t('admin.shopSystem.install.activate'),
        ]}
      </ToDo>
      {states[2] === 'done' ? (
        <p class="help">{t('admin.shopSystem.install.removal')}</p>
      ) : (
        <Awaited text={t('admin.shopSystem.install.waiting')} />
      )}
    </>
  );
}

/** The page looks by itself, and says so. */
const Awaited = ({ text }: { text: string }) => (
  <p class="awaited" role="status">
    <span class="spinner" aria-hidden="true" /> {text}
  </p>
);

function Register({ connection, states, work }: StepsProps) {
  const system = systemOf(connection);
  if (!system) return <Later />;
  if (!can('createRegistration')) return <WhoCan />;
  const there = registeredAt(system, connection);
  const missing = typesOf(system).filter((type) => !there.includes(type));
  const values = { system: systemName(system) };
  return (
    <>
      <p>{t('admin.shopSystem.register.help', values)}</p>
      {system === 'shop_system_1' && (
        <p>
          {t('admin.shopSystem.register.secret')}{' '}
          <Button kind="plain" onClick={() => document.getElementById('show-secret')?.focus()}>
            {t('admin.shopSystem.register.toSecret')}
          </Button>
        </p>
      )}
      {states[1] !== 'done' && missing.length > 0 && <p class="help">{t('admin.shopSystem.register.first')}</p>}
      {work.failure?.of === 'all' && <FailureBox failure={work.failure.error} tried={work.failure.tried} />}
      {(missing.length > 0 || work.busy === 'all') && (
        <div class="actions">
          <Button kind="main" isBusy={work.busy === 'all'} onClick={() => work.registerAll(missing)}>
            {t(there.length === 0 ? 'admin.shopSystem.register.action' : 'admin.shopSystem.register.rest', {
              count: missing.length,
            })}
          </Button>
        </div>
      )}
    </>
  );
}

function FirstOrder({ connection, inbound, states }: StepsProps) {
  const system = systemOf(connection);
  if (!system) return <Later />;
  const hint = `admin.shopSystem.order.hints.${system}` as const;
  return (
    <>
      <p>{t('admin.shopSystem.order.help', { system: systemName(system) })}</p>
      {states[3] === 'done' ? (
        <p>
          {t('admin.shopSystem.order.came')} <Time at={inbound?.last_received_at} />.{' '}
          <a href={href(inShop('/orders'))}>{t('admin.shopSystem.order.toOrders')}</a>
        </p>
      ) : (
        states[3] === 'next' && <Awaited text={t('admin.shopSystem.order.waiting')} />
      )}
      <details class="hint">
        <summary>{t('admin.shopSystem.order.nothing')}</summary>
        <p>{t(hint)}</p>
      </details>
    </>
  );
}
