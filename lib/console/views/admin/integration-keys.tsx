import { useSignal } from '@preact/signals';
import {
  type CredentialKind,
  type IntegrationId,
  integrationIds,
  integrations,
} from '#schemas/catalogues/integrations.ts';
import { type Answer, call } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { integrationName } from '../../app/integration-name.ts';
import { can } from '../../app/session.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { FormView, useForm } from '../../ui/form.tsx';
import { Table } from '../../ui/list.tsx';
import { notify } from '../../ui/notices.tsx';
import { Page } from '../../ui/parts.tsx';
import { Loaded, textOf } from '../../ui/states.tsx';
import { State } from '../../ui/tone.tsx';

type Keys = Answer<'listIntegrationKeys'>;

/** The parts of each kind of key. */
const parts: Record<CredentialKind, readonly string[]> = {
  api_key: ['api_key'],
  client: ['client_id', 'client_secret'],
  basic: ['username', 'password'],
};

const partsOf = (id: IntegrationId) => parts[integrations[id].credential];

/** What is known of a key: the last characters of each part. */
function maskedParts(keys: Keys, id: IntegrationId): string[] {
  const stored = keys[id];
  if (stored === null) return [];
  return typeof stored === 'string' ? [stored] : Object.values(stored).filter((part) => part !== null);
}

export default function IntegrationKeys() {
  const keys = useResource('keys', (signal) => call('listIntegrationKeys', { signal }));
  const setting = useSignal<IntegrationId | undefined>(undefined);
  const remove = async (id: IntegrationId) => {
    const name = integrationName(id);
    const isSure = await confirm({
      title: t('admin.integrationKeys.deleteTitle', { name }),
      text: t('admin.integrationKeys.deleteText'),
      action: t('admin.integrationKeys.delete'),
    });
    if (!isSure) return;
    try {
      await call('deleteIntegrationKey', { params: { integration: id } });
      notify(t('admin.integrationKeys.deleted', { name }));
      await keys.reload();
      document.getElementById('main')?.focus();
    } catch (error) {
      notify(textOf(error), 'failed');
    }
  };
  return (
    <Page title={t('admin.integrationKeys.title')}>
      <p>{t('admin.integrationKeys.intro')}</p>
      <Loaded resource={keys} tried={t('admin.integrationKeys.tried')}>
        {(stored) => (
          <Table
            caption={t('admin.integrationKeys.title')}
            rows={integrationIds}
            rowKey={(id) => id}
            columns={[
              { title: t('admin.notifications.integration'), cell: (id) => <strong>{integrationName(id)}</strong> },
              {
                title: t('admin.integrationKeys.key'),
                cell: (id) =>
                  maskedParts(stored, id).length === 0 ? (
                    <State tone="quiet">{t('admin.integrationKeys.unset')}</State>
                  ) : (
                    <>
                      <code>{maskedParts(stored, id).join(' · ')}</code>{' '}
                      {stored.set_again?.includes(id) && (
                        <State tone="attention">{t('admin.integrationKeys.setAgain')}</State>
                      )}
                    </>
                  ),
              },
              {
                title: t('admin.integrationKeys.actions'),
                cell: (id) => (
                  <span class="actions">
                    {can('setIntegrationKey') && (
                      <Button
                        aria-label={t('admin.integrationKeys.setOne', { name: integrationName(id) })}
                        onClick={() => {
                          setting.value = id;
                        }}
                      >
                        {t('admin.integrationKeys.set')}
                      </Button>
                    )}
                    {can('deleteIntegrationKey') && maskedParts(stored, id).length > 0 && (
                      <Button
                        kind="danger"
                        aria-label={t('admin.integrationKeys.deleteOne', { name: integrationName(id) })}
                        onClick={() => remove(id)}
                      >
                        {t('common.delete')}
                      </Button>
                    )}
                  </span>
                ),
              },
            ]}
          />
        )}
      </Loaded>
      {setting.value && (
        <SetKey
          key={setting.value}
          integration={setting.value}
          onClose={() => {
            setting.value = undefined;
          }}
          onSaved={() => {
            setting.value = undefined;
            keys.reload();
          }}
        />
      )}
    </Page>
  );
}

interface SetKeyProps {
  integration: IntegrationId;
  onClose: () => void;
  onSaved: () => void;
}

function SetKey({ integration, onClose, onSaved }: SetKeyProps) {
  const name = integrationName(integration);
  const names = partsOf(integration);
  const form = useForm<Record<string, string>>({
    initial: Object.fromEntries(names.map((part) => [part, ''])),
    save: (values) => {
      const given = Object.entries(values).filter(([part, value]) => part !== 'client_secret' || value !== '');
      return call('setIntegrationKey', { params: { integration }, body: Object.fromEntries(given) as never });
    },
  });
  return (
    <Dialog title={t('admin.integrationKeys.setTitle', { name })} onClose={onClose}>
      <FormView
        form={form}
        tried={t('admin.tried.save')}
        action={t('admin.integrationKeys.store')}
        onSaved={() => {
          notify(t('admin.integrationKeys.saved', { name }));
          onSaved();
        }}
      >
        <p class="help">{t('admin.integrationKeys.setHelp')}</p>
        {names.map((part) => (
          <TextField
            key={part}
            label={t(`admin.integrationKeys.parts.${part}` as 'admin.integrationKeys.parts.api_key')}
            {...form.field(part)}
            type={part === 'client_id' || part === 'username' ? 'text' : 'password'}
            autoComplete="off"
            isOptional={part === 'client_secret'}
          />
        ))}
      </FormView>
    </Dialog>
  );
}
