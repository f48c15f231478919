import { useSignal } from '@preact/signals';
import { shopRoles } from '#schemas/catalogues/enumerations.ts';
import { accessLimits } from '#schemas/catalogues/limits.ts';
import { type Answer, call } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { currentShop } from '../../app/router.ts';
import { can } from '../../app/session.ts';
import { language, t, wordOf } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { CopyText } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField, TimeField } from '../../ui/fields.tsx';
import { FormView, useForm } from '../../ui/form.tsx';
import { Table } from '../../ui/list.tsx';
import { notify } from '../../ui/notices.tsx';
import { Facts, Page } from '../../ui/parts.tsx';
import { Empty, Loaded, textOf } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { State } from '../../ui/tone.tsx';

type Key = Answer<'listApiKeys'>['tokens'][number];
type MadeKey = Answer<'createApiKey'>;

export default function ApiKeys() {
  const keys = useResource('keys', (signal) => call('listApiKeys', { signal }));
  const isMaking = useSignal(false);
  const remove = async (key: Key) => {
    const isSure = await confirm({
      title: t('admin.keys.deleteTitle', { id: nameOf(key), role: roleIn(key) }),
      text: t('admin.keys.deleteText'),
      action: t('admin.keys.delete'),
    });
    if (!isSure) return;
    try {
      await call('deleteApiKey', { params: { token_id: key.id } });
      notify(t('admin.keys.deleted', { id: nameOf(key) }));
      await keys.reload();
      document.getElementById('main')?.focus();
    } catch (error) {
      notify(textOf(error), 'failed');
    }
  };
  const make = can('createApiKey') && (
    <Button
      kind="main"
      onClick={() => {
        isMaking.value = true;
      }}
    >
      {t('admin.keys.make')}
    </Button>
  );
  return (
    <Page title={t('admin.keys.title')} actions={make}>
      <p>{t('admin.keys.intro')}</p>
      <Loaded resource={keys} tried={t('admin.keys.tried')}>
        {({ username, tokens }) =>
          tokens.length === 0 ? (
            <Empty title={t('admin.keys.none')} text={t('admin.keys.noneText')} icon="user" />
          ) : (
            <>
              <Facts facts={[[t('admin.keys.username'), <CopyText key="username" text={username} />]]} />
              <Table
                caption={t('admin.keys.title')}
                rows={tokens}
                rowKey={({ id }) => id}
                columns={[
                  { title: t('admin.keys.name'), cell: (key) => <bdi>{nameOf(key)}</bdi> },
                  { title: t('admin.keys.role'), cell: roleIn },
                  { title: t('admin.keys.secret'), cell: ({ secret }) => <code>{secret}</code>, isMinor: true },
                  { title: t('admin.keys.created'), cell: ({ created_at }) => dateOf(created_at), isMinor: true },
                  {
                    title: t('admin.keys.lastUsed'),
                    cell: ({ last_used_at: used }) => (used ? dateOf(used) : t('admin.keys.notUsed')),
                  },
                  { title: t('admin.keys.expires'), cell: (key) => <Expiry {...key} /> },
                  ...(can('deleteApiKey')
                    ? [
                        {
                          title: t('common.delete'),
                          cell: (key: Key) => (
                            <Button
                              kind="danger"
                              aria-label={t('admin.keys.deleteOne', { id: nameOf(key) })}
                              onClick={() => remove(key)}
                            >
                              {t('common.delete')}
                            </Button>
                          ),
                        },
                      ]
                    : []),
                ]}
              />
              <p class="pager muted">{t('list.count', { count: tokens.length })}</p>
            </>
          )
        }
      </Loaded>
      {isMaking.value && (
        <MakeKey
          onClose={() => {
            isMaking.value = false;
            keys.reload();
          }}
        />
      )}
    </Page>
  );
}

/** A key without a name is told by the end of its secret. */
const nameOf = ({ name, secret }: Pick<Key, 'name' | 'secret'>): string =>
  name ?? t('admin.keys.unnamed', { end: secret.slice(-4) });

const dateOf = (day: string): string => new Date(day).toLocaleDateString(language.value, { dateStyle: 'medium' });

const roleIn = ({ shops }: Pick<Key, 'shops'>) =>
  wordOf('common.roles', shops.find(({ shop_slug }) => shop_slug === currentShop.value)?.role ?? '');

function Expiry({ expiration }: Key) {
  if (expiration === 0) return <>{t('admin.keys.never')}</>;
  const at = new Date(expiration * 1000);
  return at.getTime() < Date.now() ? (
    <State tone="failed">{t('admin.keys.expired')}</State>
  ) : (
    <Time at={at.toISOString()} />
  );
}

/** The secret lives in this dialog only: it is gone when the dialog closes. */
function MakeKey({ onClose }: { onClose: () => void }) {
  const made = useSignal<MadeKey | undefined>(undefined);
  // Esc and the cross are pressed without a thought.
  const closeAsked = () => {
    if (!made.value || window.confirm(t('admin.keys.unstored'))) onClose();
  };
  return (
    <Dialog title={made.value ? t('admin.keys.madeTitle') : t('admin.keys.make')} onClose={closeAsked}>
      {made.value ? (
        <>
          <p>
            <strong>{t('admin.keys.once')}</strong>
          </p>
          <Facts
            facts={[
              [t('admin.keys.username'), <CopyText key="username" text={made.value.username} />],
              [
                t('admin.keys.secret'),
                <CopyText key="secret" text={made.value.secret} label={t('admin.keys.secret')} />,
              ],
              [t('admin.keys.role'), roleIn(made.value)],
              made.value.name !== null && [t('admin.keys.name'), <bdi key="name">{made.value.name}</bdi>],
            ]}
          />
          <div class="actions">
            <Button kind="main" onClick={onClose}>
              {t('admin.keys.stored')}
            </Button>
          </div>
        </>
      ) : (
        <KeyForm
          onMade={(key) => {
            made.value = key;
          }}
        />
      )}
    </Dialog>
  );
}

function KeyForm({ onMade }: { onMade: (key: MadeKey) => void }) {
  const form = useForm<{ name: string; role: (typeof shopRoles)[number]; expires: string }>({
    initial: { name: '', role: 'viewer', expires: '' },
    fieldOf: (place) => (place === 'expiration' ? 'expires' : place),
    save: async ({ name, role, expires }) => {
      const expiration = expires === '' ? 0 : Math.floor(Date.parse(expires) / 1000);
      onMade(await call('createApiKey', { body: { name: name.trim() || null, role, expiration } }));
    },
  });
  return (
    <FormView form={form} tried={t('admin.keys.notMade')} action={t('admin.keys.make')}>
      <TextField
        label={t('admin.keys.name')}
        help={t('admin.keys.nameHelp')}
        {...form.field('name')}
        maxLength={accessLimits.keyNameCharacters}
        autoComplete="off"
      />
      <fieldset>
        <legend>{t('admin.keys.role')}</legend>
        {shopRoles.map((role) => (
          <label key={role} class="choice">
            <input
              type="radio"
              name="role"
              value={role}
              checked={form.values.value.role === role}
              onChange={() => form.set({ role })}
            />
            <span>
              <strong>{wordOf('common.roles', role)}</strong>
              <span class="help">{t(`admin.keys.roles.${role}`)}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <TimeField
        label={t('admin.keys.expires')}
        help={t('admin.keys.expiresHelp')}
        {...form.field('expires')}
        isOptional
      />
    </FormView>
  );
}
