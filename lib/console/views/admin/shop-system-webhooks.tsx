import { useSignal } from '@preact/signals';
import {
  type ShopSystem,
  type ShopWebhookType,
  shopPrivacyTopics,
  topicOf,
} from '#schemas/catalogues/shop-webhooks.ts';
import { type Answer, call } from '../../api/client.ts';
import { currentShop, href, inShop } from '../../app/router.ts';
import { can } from '../../app/session.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { CopyText } from '../../ui/copy.tsx';
import { Table } from '../../ui/list.tsx';
import { Facts, Section } from '../../ui/parts.tsx';
import { FailureBox } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { State } from '../../ui/tone.tsx';
import { typesOf } from './shop-connection.ts';
import { systemName, typeName } from './shop-system-words.ts';
import { Topic } from './shop-topic.tsx';
import type { WebhookWork } from './shop-webhook-work.ts';

type Registration = Answer<'listRegistrations'>[number];

interface WebhooksProps {
  system: ShopSystem;
  registrations: readonly Registration[];
  work: WebhookWork;
}

/** What the system has webhooks for, and what is left of another system. */
export function Webhooks({ system, registrations, work }: WebhooksProps) {
  const { busy, failure } = work;
  const isApp = system === 'shop_system_2';
  const of = (type: ShopWebhookType) => registrations.find(({ webhook_type }) => webhook_type === type);
  const own = typesOf(system);
  const left = registrations.map(({ webhook_type }) => webhook_type).filter((type) => !own.includes(type));
  const action = {
    title: t('admin.integrationKeys.actions'),
    cell: (type: ShopWebhookType) => {
      const isThere = of(type) !== undefined;
      return (
        <Button
          kind={isThere ? 'danger' : 'quiet'}
          isBusy={busy === type}
          aria-label={t(isThere ? 'admin.shopSystem.removeOne' : 'admin.shopSystem.registerOne', {
            name: typeName(type),
          })}
          onClick={() => (isThere ? work.remove(type) : work.register(type))}
        >
          {t(isThere ? 'admin.shopSystem.remove' : 'admin.shopSystem.registerThis')}
        </Button>
      );
    },
  };
  return (
    <Section title={t('admin.shopSystem.webhooks')}>
      <p class="help">
        {t(isApp ? 'admin.shopSystem.webhooksOfApp' : 'admin.shopSystem.webhooksHelp', { system: systemName(system) })}
      </p>
      {failure && failure.of !== 'all' && <FailureBox failure={failure.error} tried={failure.tried} />}
      <Table
        caption={t('admin.shopSystem.webhooks')}
        rows={[...own, ...new Set(left)]}
        rowKey={(type) => type}
        columns={[
          { title: t('admin.shopSystem.type'), cell: (type) => <strong>{typeName(type)}</strong> },
          {
            title: t('admin.shopSystem.topic'),
            cell: (type) => <Topic topic={of(type)?.topic ?? topicOf(system, type) ?? ''} />,
          },
          {
            title: t('admin.notifications.state'),
            cell: (type) => <Registered registration={of(type)} system={system} />,
          },
          ...(can('createRegistration') && !isApp ? [action] : []),
        ]}
      />
    </Section>
  );
}

function Registered({ registration, system }: { registration: Registration | undefined; system: ShopSystem }) {
  if (!registration) return <State tone="quiet">{t('admin.shopSystem.absent')}</State>;
  // The shop used another system when it was registered.
  if (registration.topic !== topicOf(system, registration.webhook_type)) {
    return <State tone="attention">{t('admin.shopSystem.elsewhere')}</State>;
  }
  return (
    <span class="registered">
      <State tone="arrived">{t('admin.shopSystem.present')}</State> <Time at={registration.created_at} />
    </span>
  );
}

const addressFor = (path: string) => `${location.origin}/v1/shops/${currentShop.value}/shop-system/inbound/${path}`;

/** As its documentation has it: https://shopify.dev/docs/apps/build/compliance/privacy-law-compliance */
const shopifyLines = (address: string): string =>
  [
    '[[webhooks.subscriptions]]',
    `compliance_topics = [${shopPrivacyTopics.map((topic) => `"${topic}"`).join(', ')}]`,
    `uri = "${address}"`,
  ].join('\n');

/** Nobody can register these at the shop's system but its owner, who enters their address there. */
export function PrivacyRequests() {
  const address = addressFor('privacy');
  return (
    <Section title={t('admin.shopSystem.privacy')}>
      <p class="help">{t('admin.shopSystem.privacyHelp', { topics: shopPrivacyTopics.join(', ') })}</p>
      <Facts
        facts={[
          [
            t('admin.shopSystem.privacyAddress'),
            <CopyText key="address" text={address} label={t('admin.shopSystem.privacyAddress')} />,
          ],
        ]}
      />
      <p class="help">{t('admin.shopSystem.privacyShopify')}</p>
      <div class="config-lines">
        <CopyText text={shopifyLines(address)} label={t('admin.shopSystem.privacyLines')} />
      </div>
      <p>
        <a href={href(inShop('/settings/privacy'))}>{t('admin.shopSystem.toPrivacy')}</a>
      </p>
    </Section>
  );
}

/** For who enters webhooks by hand. It is read only when somebody asks for it. */
export function Secret({ system }: { system: ShopSystem }) {
  const secret = useSignal<string | undefined>(undefined);
  const failure = useSignal<unknown>(undefined);
  const isBusy = useSignal(false);
  const show = async () => {
    isBusy.value = true;
    failure.value = undefined;
    try {
      secret.value = (await call('getWebhookConfig')).webhook_secret;
    } catch (error) {
      failure.value = error;
    }
    isBusy.value = false;
  };
  const isByHand = system === 'shop_system_3';
  return (
    <Section title={t(isByHand ? 'admin.shopSystem.byHand' : 'admin.shopSystem.secret')}>
      <p class="help">{t(isByHand ? 'admin.shopSystem.byHandHelp' : 'admin.shopSystem.secretHelp')}</p>
      {isByHand && (
        <Facts
          facts={[
            [
              t('admin.shopSystem.deliveryUrl'),
              // What the webhook is about stands in its header: one address takes them all.
              <CopyText key="address" text={addressFor('order-update')} label={t('admin.shopSystem.deliveryUrl')} />,
            ],
          ]}
        />
      )}
      {failure.value !== undefined && <FailureBox failure={failure.value} tried={t('admin.tried.read')} retry={show} />}
      <div class="actions">
        {secret.value === undefined ? (
          <Button id="show-secret" isBusy={isBusy.value} onClick={show}>
            {t('admin.shopSystem.show')}
          </Button>
        ) : (
          <>
            <CopyText text={secret.value} label={t('admin.shopSystem.secret')} />
            <Button
              id="show-secret"
              onClick={() => {
                secret.value = undefined;
              }}
            >
              {t('admin.shopSystem.hide')}
            </Button>
          </>
        )}
      </div>
    </Section>
  );
}
