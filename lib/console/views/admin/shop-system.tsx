import { useSignal } from '@preact/signals';
import { type ShopWebhookType, shopPrivacyTopics, shopWebhookTypes } from '#schemas/catalogues/shop-webhooks.ts';
import { type Answer, call } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { currentShop, href, inShop } from '../../app/router.ts';
import { can } from '../../app/session.ts';
import { t, wordOf } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { CopyText } from '../../ui/copy.tsx';
import { Table } from '../../ui/list.tsx';
import { notify } from '../../ui/notices.tsx';
import { Facts, Page, Section } from '../../ui/parts.tsx';
import { FailureBox, Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { State } from '../../ui/tone.tsx';

type Registration = Answer<'listRegistrations'>[number];

const typeName = (type: ShopWebhookType) => wordOf('admin.shopSystem.types', type);

/** The webhooks that the shop's own system sends us. */
export default function ShopSystem() {
  const registrations = useResource('all', (signal) => call('listRegistrations', { query: { per_page: 50 }, signal }));
  const busy = useSignal<ShopWebhookType | undefined>(undefined);
  const failure = useSignal<{ error: unknown; tried: string } | undefined>(undefined);
  const attempt = async (type: ShopWebhookType, tried: string, work: () => Promise<unknown>, done: string) => {
    if (busy.value) return;
    busy.value = type;
    failure.value = undefined;
    try {
      await work();
      notify(done);
      await registrations.reload();
    } catch (error) {
      failure.value = { error, tried };
    }
    busy.value = undefined;
  };
  const register = (type: ShopWebhookType) =>
    attempt(
      type,
      t('admin.shopSystem.notRegistered', { name: typeName(type) }),
      () => call('createRegistration', { body: { webhook_type: type } }),
      t('admin.shopSystem.registered', { name: typeName(type) }),
    );
  const remove = async (type: ShopWebhookType) => {
    const name = typeName(type);
    const isSure = await confirm({
      title: t('admin.shopSystem.removeTitle', { name }),
      text: t('admin.shopSystem.removeText'),
      action: t('admin.shopSystem.remove'),
    });
    if (!isSure) return;
    await attempt(
      type,
      t('admin.shopSystem.notRemoved', { name }),
      () => call('deleteRegistrationOfType', { params: { webhook_type: type } }),
      t('admin.shopSystem.removed', { name }),
    );
  };
  return (
    <Page title={t('admin.shopSystem.title')}>
      <p>{t('admin.shopSystem.intro')}</p>
      {failure.value && <FailureBox failure={failure.value.error} tried={failure.value.tried} />}
      <Loaded resource={registrations} tried={t('admin.shopSystem.tried')}>
        {(list) => (
          <Table
            caption={t('admin.shopSystem.title')}
            rows={shopWebhookTypes}
            rowKey={(type) => type}
            columns={[
              { title: t('admin.shopSystem.type'), cell: (type) => <strong>{typeName(type)}</strong> },
              {
                title: t('admin.notifications.state'),
                cell: (type) => <Registered registration={list.find(({ webhook_type }) => webhook_type === type)} />,
              },
              ...(can('createRegistration')
                ? [
                    {
                      title: t('admin.integrationKeys.actions'),
                      cell: (type: ShopWebhookType) => {
                        const isThere = list.some(({ webhook_type }) => webhook_type === type);
                        return (
                          <Button
                            kind={isThere ? 'danger' : 'quiet'}
                            isBusy={busy.value === type}
                            aria-label={t(isThere ? 'admin.shopSystem.removeOne' : 'admin.shopSystem.registerOne', {
                              name: typeName(type),
                            })}
                            onClick={() => (isThere ? remove(type) : register(type))}
                          >
                            {t(isThere ? 'admin.shopSystem.remove' : 'admin.shopSystem.register')}
                          </Button>
                        );
                      },
                    },
                  ]
                : []),
            ]}
          />
        )}
      </Loaded>
      {can('getWebhookConfig') && <Secret />}
      {can('listPrivacyRequests') && <PrivacyRequests />}
    </Page>
  );
}

function Registered({ registration }: { registration: Registration | undefined }) {
  if (!registration) return <State tone="quiet">{t('admin.shopSystem.absent')}</State>;
  return (
    <>
      <State tone="arrived">{t('admin.shopSystem.present')}</State> <Time at={registration.created_at} />
    </>
  );
}

/** As its documentation has it: https://shopify.dev/docs/apps/build/compliance/privacy-law-compliance */
const shopifyLines = (address: string): string =>
  [
    '[[webhooks.subscriptions]]',
    `compliance_topics = [${shopPrivacyTopics.map((topic) => `"${topic}"`).join(', ')}]`,
    `uri = "${address}"`,
  ].join('\n');

/** Nobody can register these at the shop's system but its owner, who enters their address there. */
function PrivacyRequests() {
  const address = `${location.origin}/v1/shops/${currentShop.value}/shop-system/inbound/privacy`;
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

/** It is read only when somebody asks for it. */
function Secret() {
  const secret = useSignal<string | undefined>(undefined);
  const failure = useSignal<unknown>(undefined);
  const show = async () => {
    failure.value = undefined;
    try {
      secret.value = (await call('getWebhookConfig')).webhook_secret;
    } catch (error) {
      failure.value = error;
    }
  };
  return (
    <Section title={t('admin.shopSystem.secret')}>
      <p class="help">{t('admin.shopSystem.secretHelp')}</p>
      {failure.value !== undefined && <FailureBox failure={failure.value} tried={t('admin.tried.read')} retry={show} />}
      {secret.value === undefined ? (
        <div class="actions">
          <Button onClick={show}>{t('admin.shopSystem.show')}</Button>
        </div>
      ) : (
        <div class="actions">
          <CopyText text={secret.value} label={t('admin.shopSystem.secret')} />
          <Button
            onClick={() => {
              secret.value = undefined;
            }}
          >
            {t('admin.shopSystem.hide')}
          </Button>
        </div>
      )}
    </Section>
  );
}
