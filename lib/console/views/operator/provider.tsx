import type { TrackingProviderName } from '#schemas/catalogues/tracking-providers.ts';
import type { TrackingProvider } from '#schemas/families/tracking-providers.ts';
import { call } from '../../api/client.ts';
import { type Resource, useResource } from '../../api/resource.ts';
import type { ViewProps } from '../../app/route.ts';
import { go } from '../../app/router.ts';
import { useTitle } from '../../app/title.ts';
import { number, t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { CopyText } from '../../ui/copy.tsx';
import { TextArea, TextField } from '../../ui/fields.tsx';
import { FormView, useForm } from '../../ui/form.tsx';
import { Pager, pageOf, perPage, Table } from '../../ui/list.tsx';
import { notify } from '../../ui/notices.tsx';
import { Facts, Page, Section } from '../../ui/parts.tsx';
import { Empty, Loaded, textOf } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { State } from '../../ui/tone.tsx';
import { providerName } from './words.ts';

export default function Provider({ params }: ViewProps) {
  const name = params.provider as TrackingProviderName;
  useTitle(providerName(name));
  const provider = useResource(name, async (signal) => {
    const all = await call('listTrackingProviders', { signal });
    return { stored: all.find((one) => one.provider === name) };
  });
  const stored = provider.value.value?.stored;
  const remove = async () => {
    const isSure = await confirm({
      title: t('operator.providers.removeTitle', { name: providerName(name) }),
      text: t('operator.providers.removeText'),
      action: t('operator.providers.remove'),
    });
    if (!isSure) return;
    try {
      await call('deleteTrackingProvider', { params: { provider: name } });
      notify(t('operator.providers.removed', { name: providerName(name) }));
      go('/operator/providers');
    } catch (error) {
      notify(textOf(error), 'failed');
    }
  };
  return (
    <Page
      title={providerName(name)}
      up={{ path: '/operator/providers', label: t('operator.providers.title') }}
      state={
        provider.value.value &&
        (stored ? (
          <State tone="arrived">{t('operator.providers.set')}</State>
        ) : (
          <State tone="quiet">{t('operator.providers.unset')}</State>
        ))
      }
      actions={
        stored && (
          <Button kind="danger" onClick={remove}>
            {t('operator.providers.remove')}
          </Button>
        )
      }
    >
      <Loaded resource={provider} tried={t('operator.providers.tried')}>
        {(found) => (
          <>
            {found.stored && <Stored provider={found.stored} />}
            <WebhookAddress url={found.stored?.webhook_url ?? webhookUrlOf(name)} />
            <Section title={t(found.stored ? 'operator.providers.replace' : 'operator.providers.setTitle')}>
              <ProviderForm key={found.stored?.api_key} name={name} stored={found.stored} provider={provider} />
            </Section>
            {found.stored && <Unmapped name={name} />}
          </>
        )}
      </Loaded>
    </Page>
  );
}

const Stored = ({ provider }: { provider: TrackingProvider }) => (
  <section class="card stack">
    <Facts
      facts={[
        [t('operator.providers.apiKey'), <code key="key">{provider.api_key}</code>],
        [t('operator.providers.webhookSecret'), <code key="secret">{provider.webhook_secret}</code>],
        [t('operator.providers.priority'), provider.priority],
      ]}
    />
  </section>
);

/** The console is served where the API is. The service says the same once the provider is saved. */
const webhookUrlOf = (name: string): string => `${location.origin}/v1/tracking-providers/${name}/webhook`;

/** Providers ask for it before they show the secret that is typed here. */
const WebhookAddress = ({ url }: { url: string }) => (
  <section class="card stack tight">
    <h2>{t('operator.providers.webhookUrl')}</h2>
    <CopyText text={url} />
    <p class="help">{t('operator.providers.webhookUrlHelp')}</p>
  </section>
);

interface ProviderFormProps {
  name: TrackingProviderName;
  stored: TrackingProvider | undefined;
  provider: Resource<unknown>;
}

/** The service never shows the secrets again, so they are typed anew. */
function ProviderForm({ name, stored, provider }: ProviderFormProps) {
  const form = useForm({
    initial: {
      api_key: '',
      webhook_secret: '',
      base_url: stored?.base_url ?? '',
      priority: String(stored?.priority ?? 100),
      carriers: stored?.carriers.join('\n') ?? '',
    },
    save: ({ base_url, priority, carriers, ...secrets }) =>
      call('setTrackingProvider', {
        params: { provider: name },
        body: {
          ...secrets,
          base_url: base_url || null,
          priority: priority.trim() === '' ? 100 : Number(priority),
          carriers: carriers.split(/[\s,]+/).filter((one) => one !== '') as never,
        },
      }),
  });
  return (
    <FormView
      form={form}
      tried={t('operator.providers.notSaved')}
      action={t('operator.providers.save')}
      onSaved={() => {
        notify(t('operator.providers.saved', { name: providerName(name) }));
        form.set({ api_key: '', webhook_secret: '' });
        form.reset(form.values.value, undefined);
        return provider.reload();
      }}
    >
      <p class="help">{t('operator.providers.secretsHelp')}</p>
      <TextField label={t('operator.providers.apiKey')} {...form.field('api_key')} type="password" autoComplete="off" />
      <TextField
        label={t('operator.providers.webhookSecret')}
        help={t('operator.providers.webhookSecretHelp')}
        {...form.field('webhook_secret')}
        type="password"
        autoComplete="off"
      />
      <TextField
        label={t('operator.providers.priority')}
        help={t('operator.providers.priorityHelp')}
        {...form.field('priority')}
        type="number"
        min={0}
        step={1}
      />
      <TextArea
        label={t('operator.providers.carriers')}
        help={t('operator.providers.carriersHelp')}
        {...form.field('carriers')}
        rows={3}
        isOptional
      />
      <TextField
        label={t('operator.providers.baseUrl')}
        help={t('operator.providers.baseUrlHelp')}
        {...form.field('base_url')}
        type="url"
        isOptional
      />
    </FormView>
  );
}

/** Codes that came from the provider and that no event stands for yet. */
function Unmapped({ name }: { name: TrackingProviderName }) {
  const page = pageOf();
  const codes = useResource(`${page}`, (signal) =>
    call('listUnmappedCodes', { params: { provider: name }, query: { page, per_page: perPage }, signal }),
  );
  return (
    <Section title={t('operator.providers.unmapped')}>
      <p class="help">{t('operator.providers.unmappedHelp')}</p>
      <Loaded resource={codes} tried={t('operator.providers.unmappedTried')}>
        {(rows) =>
          rows.length === 0 && page === 1 ? (
            <Empty
              title={t('operator.providers.noUnmapped')}
              text={t('operator.providers.noUnmappedText')}
              icon="check"
            />
          ) : (
            <>
              <Table
                caption={t('operator.providers.unmapped')}
                rows={rows}
                rowKey={({ code }) => code}
                columns={[
                  { title: t('operator.providers.code'), cell: ({ code }) => <code>{code}</code> },
                  { title: t('operator.providers.text'), cell: ({ text }) => <bdi>{text}</bdi> },
                  { title: t('operator.providers.count'), cell: ({ count }) => number(count), isNumber: true },
                  { title: t('operator.providers.last'), cell: ({ last_at }) => <Time at={last_at} /> },
                ]}
              />
              <Pager shown={rows.length} />
            </>
          )
        }
      </Loaded>
    </Section>
  );
}
