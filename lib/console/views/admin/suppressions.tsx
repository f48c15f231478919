import { type Answer, call } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { can } from '../../app/session.ts';
import { useTitle } from '../../app/title.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { EmailTabs } from '../../ui/email-tabs.tsx';
import { Pager, pageOf, perPage, Table } from '../../ui/list.tsx';
import { notify } from '../../ui/notices.tsx';
import { Page } from '../../ui/parts.tsx';
import { Empty, Loaded, textOf } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { State, tones } from '../../ui/tone.tsx';

type Suppression = Answer<'listSuppressions'>[number];

/** The addresses that get no e-mails of the shop, and why. */
export default function Suppressions() {
  useTitle(t('deliveries.emails.suppressed'));
  const page = pageOf();
  const list = useResource(`${page}`, (signal) =>
    call('listSuppressions', { query: { page, per_page: perPage }, signal }),
  );
  const mailAgain = async (suppression: Suppression) => {
    const address = nameOf(suppression);
    const isSure = await confirm({
      title: t('admin.emails.againTitle', { address }),
      text: t(`admin.emails.againTexts.${suppression.reason}`),
      action: t('admin.emails.again'),
    });
    if (!isSure) return;
    try {
      await call('deleteSuppression', { params: { id: suppression.id } });
      notify(t('admin.emails.againDone', { address }));
      await list.reload();
      document.getElementById('main')?.focus();
    } catch (error) {
      notify(`${t('admin.emails.againFailed')} ${textOf(error)}`, 'failed');
    }
  };
  return (
    <Page title={t('admin.emails.title')}>
      <EmailTabs />
      <p>{t('admin.emails.suppressedIntro')}</p>
      <Loaded resource={list} tried={t('admin.emails.suppressedTried')}>
        {(rows) =>
          rows.length === 0 && page === 1 ? (
            <Empty title={t('admin.emails.noneSuppressed')} text={t('admin.emails.noneSuppressedText')} icon="mail" />
          ) : (
            <>
              <Table
                caption={t('deliveries.emails.suppressed')}
                rows={rows}
                rowKey={({ id }) => id}
                isBusy={list.isLoading.value}
                columns={[
                  {
                    title: t('admin.emails.address'),
                    cell: ({ email_id }) =>
                      email_id === null ? (
                        <span class="muted">{t('admin.emails.erasedAddress')}</span>
                      ) : (
                        <bdi>{email_id}</bdi>
                      ),
                  },
                  {
                    title: t('admin.emails.why'),
                    cell: ({ reason }) => (
                      <State tone={tones.suppression[reason]}>{t(`admin.emails.reasons.${reason}`)}</State>
                    ),
                  },
                  { title: t('admin.emails.since'), cell: ({ at }) => <Time at={at} /> },
                  ...(can('deleteSuppression')
                    ? [
                        {
                          title: t('admin.emails.again'),
                          cell: (row: Suppression) => (
                            <Button
                              aria-label={t('admin.emails.againOne', { address: nameOf(row) })}
                              onClick={() => mailAgain(row)}
                            >
                              {t('admin.emails.again')}
                            </Button>
                          ),
                        },
                      ]
                    : []),
                ]}
              />
              <Pager shown={rows.length} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

/** An address whose order was erased has only its fingerprint left. */
const nameOf = ({ email_id, id }: Suppression): string =>
  email_id ?? t('admin.emails.unnamedAddress', { id: id.slice(0, 6) });
