import { extrasOf, type ThirdParty } from '#schemas/catalogues/integrations.ts';
import { type Answer, call, callWithEtag } from '../../api/client.ts';
import { type Resource, useResource } from '../../api/resource.ts';
import { integrationName } from '../../app/integration-name.ts';
import type { ViewProps } from '../../app/route.ts';
import { href, inShop } from '../../app/router.ts';
import { can } from '../../app/session.ts';
import { useTitle } from '../../app/title.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { groupText } from '../../ui/event-refs.ts';
import { CheckField, TextField } from '../../ui/fields.tsx';
import { RowLink, Table } from '../../ui/list.tsx';
import { notify } from '../../ui/notices.tsx';
import { Page, Section } from '../../ui/parts.tsx';
import { Empty, Loaded, textOf } from '../../ui/states.tsx';
import { State } from '../../ui/tone.tsx';
import { toneOf } from './notifications.tsx';
import { type SaveMore, SettingsForm, type Stored } from './settings-form.tsx';
import { inWords } from './trigger-words.ts';
import { reasonText } from './words.ts';

/** The settings of one integration, or of all endpoints, what they come to, and its internal triggers. */
export default function TriggerSettings({ params }: ViewProps) {
  const integration = params.integration as ThirdParty;
  useTitle(integrationName(integration));
  const sums = useResource(integration, (signal) => call('listNotifications', { signal }));
  return (
    <Page
      title={integrationName(integration)}
      up={{ path: inShop('/settings/notifications'), label: t('admin.notifications.title') }}
    >
      <Loaded resource={sums} tried={t('admin.tried.read')}>
        {(all) => <Sum sum={all.find((one) => one.integration === integration)} />}
      </Loaded>
      <Section title={t('admin.trigger.settings')}>
        <OwnSettings integration={integration} onSaved={sums.reload} />
      </Section>
      <InternalTriggers integration={integration} sums={sums} />
    </Page>
  );
}

type Sums = Answer<'listNotifications'>;

function Sum({ sum }: { sum: Sums[number] | undefined }) {
  if (!sum) return null;
  const { effective, event_groups, internal_triggers, stale_event_threshold } = sum;
  return (
    <section class="card stack" aria-label={t('admin.trigger.sum')}>
      <h2>{t('admin.trigger.sum')}</h2>
      <p>
        <State tone={toneOf(effective)}>{reasonText(effective.reason)}</State>
      </p>
      {effective.reason && <p>{t(`admin.remedies.${effective.reason}`)}</p>}
      {event_groups.length > 0 && (
        <>
          <p>
            {effective.active
              ? t('admin.trigger.gets', {
                  groups: t('admin.notifications.groups', { count: event_groups.length }),
                  age: t('admin.hours', { count: stale_event_threshold }),
                })
              : t('admin.trigger.getsTriggers')}
          </p>
          {internal_triggers.length > 0 && (
            <p>{t('admin.trigger.fires', { names: internal_triggers.map(({ name }) => name).join(', ') })}</p>
          )}
          <details>
            <summary>{t('admin.trigger.groups')}</summary>
            <ul class="words">
              {event_groups.map((group) => (
                <li key={group}>{groupText(group)}</li>
              ))}
            </ul>
          </details>
        </>
      )}
    </section>
  );
}

interface Values {
  isOn: boolean;
  isPaused: boolean;
  stale_event_threshold: string;
  trigger_delivered_all_events: boolean;
  leavesSegments: boolean;
  use_proxy: boolean;
  rest_endpoint: string;
  portal_id: string;
  instance_id: string;
}

interface Facts extends Values {
  hasSegmentSwitch: boolean;
}

const texts = ['rest_endpoint', 'portal_id', 'instance_id'] as const;

/** Two operations show these settings. The tag of each stands in its place. */
async function read(integration: ThirdParty): Promise<Stored<Facts>> {
  const [settings, own] = await Promise.all([
    callWithEtag('getSettings'),
    callWithEtag('getTriggerSettings', { params: { integration } }),
  ]);
  const { answer } = own;
  const isOn = integration === 'webhook' || settings.answer.triggers[integration];
  const hasSegmentSwitch = integration !== 'webhook' && settings.answer.segments[integration];
  const values = {
    isOn,
    isPaused: isOn && !answer.status,
    stale_event_threshold: String(answer.stale_event_threshold),
    trigger_delivered_all_events: answer.trigger_delivered_all_events ?? false,
    hasSegmentSwitch,
    leavesSegments: hasSegmentSwitch && answer.segments_enabled === false,
    use_proxy: answer.use_proxy ?? false,
    rest_endpoint: answer.rest_endpoint ?? '',
    portal_id: answer.portal_id ?? '',
    instance_id: answer.instance_id ?? '',
  };
  return { values, etag: `${settings.etag} ${own.etag}` };
}

async function save(
  integration: ThirdParty,
  changes: Partial<Facts>,
  ifMatch: string | undefined,
  onPart: SaveMore<Facts>['onPart'],
): Promise<void> {
  const [ofSettings, ofTriggers] = ifMatch?.split(' ').map((tag) => tag || undefined) ?? [];
  const { isOn, isPaused, leavesSegments, stale_event_threshold, hasSegmentSwitch: _, ...own } = changes;
  const body: Record<string, unknown> = { ...own };
  // Null follows the switch.
  if (isPaused !== undefined) body.status = isPaused ? false : null;
  if (leavesSegments !== undefined) body.segments_enabled = leavesSegments ? false : null;
  if (stale_event_threshold !== undefined)
    body.stale_event_threshold = stale_event_threshold.trim() === '' ? null : Number(stale_event_threshold);
  for (const name of texts) if (body[name] === '') body[name] = null;
  // The switch comes last: a status that nobody set changes with it, and so does the tag of the settings.
  if (Object.keys(body).length > 0) {
    const { etag } = await callWithEtag('updateTriggerSettings', {
      params: { integration },
      body,
      ifMatch: ofTriggers,
    });
    const { isOn: _isOn, ...part } = changes;
    onPart(part, `${ofSettings ?? ''} ${etag ?? ''}`);
  }
  if (isOn !== undefined) await call('updateTriggerSwitches', { body: { [integration]: isOn }, ifMatch: ofSettings });
}

function OwnSettings({ integration, onSaved }: { integration: ThirdParty; onSaved: () => unknown }) {
  const has = (name: string) => extrasOf(integration).includes(name);
  const isShopSystem = integration === 'integration_7';
  return (
    <SettingsForm<Facts>
      read={() => read(integration)}
      save={(changes, ifMatch, { onPart }) => save(integration, changes, ifMatch, onPart)}
      needs="updateTriggerSettings"
      onSaved={onSaved}
    >
      {(form) => (
        <>
          {integration !== 'webhook' && (
            <CheckField label={t('admin.trigger.on')} help={t('admin.trigger.onHelp')} {...form.field('isOn')} />
          )}
          {form.values.value.isOn && (
            <CheckField
              label={t('admin.trigger.paused')}
              help={t('admin.trigger.pausedHelp')}
              {...form.field('isPaused')}
              fault={form.faultOf('status')}
            />
          )}
          <TextField
            label={t('admin.trigger.age')}
            help={t('admin.trigger.ageHelp')}
            {...form.field('stale_event_threshold')}
            type="number"
            min={0}
            max={8760}
            step={1}
          />
          {!isShopSystem && (
            <CheckField
              label={t('admin.trigger.all')}
              help={t('admin.trigger.allHelp')}
              {...form.field('trigger_delivered_all_events')}
            />
          )}
          {form.values.value.hasSegmentSwitch && (
            <CheckField
              label={t('admin.trigger.noSegments')}
              help={t('admin.trigger.noSegmentsHelp')}
              {...form.field('leavesSegments')}
            />
          )}
          {has('use_proxy') && (
            <CheckField
              label={t('admin.trigger.proxy')}
              help={t('admin.trigger.proxyHelp')}
              {...form.field('use_proxy')}
            />
          )}
          {has('rest_endpoint') && (
            <TextField
              label={t('admin.trigger.endpoint')}
              help={t('admin.trigger.endpointHelp')}
              {...form.field('rest_endpoint')}
              type="url"
              isOptional
            />
          )}
          {has('portal_id') && (
            <TextField
              label={t('admin.trigger.portal')}
              help={t('admin.trigger.portalHelp')}
              {...form.field('portal_id')}
              isOptional
            />
          )}
          {has('instance_id') && (
            <TextField
              label={t('admin.trigger.instance')}
              help={t('admin.trigger.instanceHelp')}
              {...form.field('instance_id')}
              isOptional
            />
          )}
        </>
      )}
    </SettingsForm>
  );
}

type Trigger = Answer<'listInternalTriggers'>[number];

function InternalTriggers({ integration, sums }: { integration: ThirdParty; sums: Resource<Sums> }) {
  const triggers = useResource(integration, (signal) =>
    call('listInternalTriggers', { params: { integration }, signal }),
  );
  const path = (id: string) => href(inShop(`/settings/notifications/${integration}/triggers/${id}`));
  const remove = async (row: Trigger) => {
    const { id, name } = row;
    const isSure = await confirm({
      title: t('admin.trigger.deleteTitle', { name }),
      text: t('admin.trigger.deleteText'),
      action: t('admin.trigger.delete'),
    });
    if (!isSure) return;
    try {
      const params = { integration, trigger_id: id };
      const { answer, etag } = await callWithEtag('getInternalTrigger', { params });
      // The list has no tags.
      if (JSON.stringify(answer) !== JSON.stringify(row)) {
        notify(t('admin.trigger.changedMeanwhile', { name }), 'failed');
        return triggers.reload();
      }
      await call('deleteInternalTrigger', { params, ifMatch: etag });
      notify(t('admin.trigger.deleted', { name }));
      await Promise.all([triggers.reload(), sums.reload()]);
      document.getElementById('main')?.focus();
    } catch (error) {
      notify(textOf(error), 'failed');
    }
  };
  return (
    <Section
      title={t('admin.trigger.list')}
      actions={
        can('createInternalTrigger') && (
          <a class="button" href={path('new')}>
            {t('admin.trigger.add')}
          </a>
        )
      }
    >
      <p class="help">{t('admin.trigger.listHelp')}</p>
      <Loaded resource={triggers} tried={t('admin.tried.read')}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title={t('admin.trigger.none')} text={t('admin.trigger.noneText')} icon="bell" />
          ) : (
            <Table
              caption={t('admin.trigger.list')}
              rows={rows}
              rowKey={({ id }) => id}
              columns={[
                { title: t('admin.trigger.name'), cell: ({ id, name }) => <RowLink to={path(id)}>{name}</RowLink> },
                { title: t('admin.trigger.does'), cell: inWords },
                ...(can('deleteInternalTrigger')
                  ? [
                      {
                        title: t('common.delete'),
                        cell: (row: Trigger) => (
                          <Button
                            kind="danger"
                            aria-label={t('admin.trigger.deleteOne', { name: row.name })}
                            onClick={() => remove(row)}
                          >
                            {t('common.delete')}
                          </Button>
                        ),
                      },
                    ]
                  : []),
              ]}
            />
          )
        }
      </Loaded>
    </Section>
  );
}
