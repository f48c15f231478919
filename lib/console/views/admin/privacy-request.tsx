import { useSignal } from '@preact/signals';
import type { PrivacyRequest } from '#schemas/families/privacy.ts';
import { call } from '../../api/client.ts';
import type { ViewProps } from '../../app/route.ts';
import { href, inShop } from '../../app/router.ts';
import { can } from '../../app/session.ts';
import { useTitle } from '../../app/title.ts';
import { t } from '../../texts/texts.ts';
import { askerOf } from '../../ui/author.ts';
import { Button } from '../../ui/button.tsx';
import { CopyText } from '../../ui/copy.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Facts, Page, Section } from '../../ui/parts.tsx';
import { FailureBox, Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { useFollowedRequest } from './followed-request.ts';
import { kindWord, progressText, RequestState, StoresTable } from './privacy-words.tsx';

/** How far a request is, what it found, and the file of a disclosure. */
export default function PrivacyRequestView({ params }: ViewProps) {
  const request = useFollowedRequest(params.uuid!);
  const up = { path: inShop('/settings/privacy'), label: t('admin.privacy.title') };
  const found = request.value.value;
  const title = found ? titleOf(found) : t('admin.privacy.one');
  useTitle(title);
  return (
    <Page
      title={title}
      up={up}
      state={found && <RequestState status={found.status} />}
      actions={found?.download_url && <Download uuid={found.uuid} />}
    >
      <Loaded resource={request} tried={t('admin.privacy.oneTried')}>
        {(one) => (
          <div class="stack">
            <Outcome request={one} />
            <Facts
              facts={[
                [t('admin.privacy.askedBy'), <bdi key="by">{askerOf(one.requested_by)}</bdi>],
                [t('admin.privacy.askedAt'), <Time key="at" at={one.created_at} />],
                one.done_at !== null && [t('admin.privacy.doneAt'), <Time key="done" at={one.done_at} />],
                [t('admin.privacy.orders'), one.orders],
                [t('admin.privacy.id'), <CopyText key="id" text={one.uuid} />],
              ]}
            />
            {one.stores.length > 0 && (
              <Section title={t('admin.privacy.found')}>
                <StoresTable request={one} />
              </Section>
            )}
          </div>
        )}
      </Loaded>
    </Page>
  );
}

const titleOf = (request: PrivacyRequest): string =>
  request.reference === null ? kindWord(request) : `${kindWord(request)} · ${request.reference}`;

/** What the state means for whoever asked. */
function Outcome({ request }: { request: PrivacyRequest }) {
  const { kind, status, dry_run, orders, download_url } = request;
  if (status === 'running') return <p role="status">{progressText(orders)}</p>;
  if (status === 'failed') return <p>{t('admin.privacy.outcomes.failed')}</p>;
  if (orders === 0) return <p>{t('admin.privacy.outcomes.nobody')}</p>;
  if (dry_run) {
    return (
      <>
        <p>{t('admin.privacy.outcomes.counted', { count: orders })}</p>
        {can('createPrivacyRequest') && (
          <p>
            <a href={href(inShop('/settings/privacy/new'))}>{t('admin.privacy.askAgain')}</a>
          </p>
        )}
      </>
    );
  }
  if (kind === 'erasure') return <p>{t('admin.privacy.outcomes.erased', { count: orders })}</p>;
  return <p>{t(download_url ? 'admin.privacy.outcomes.disclosed' : 'admin.privacy.outcomes.expired')}</p>;
}

/** The address works for an hour, so it is read when somebody wants the file. */
function Download({ uuid }: { uuid: string }) {
  const isBusy = useSignal(false);
  const failure = useSignal<unknown>(undefined);
  const download = async () => {
    isBusy.value = true;
    failure.value = undefined;
    try {
      const { download_url } = await call('getPrivacyRequest', { params: { uuid } });
      if (download_url) location.assign(download_url);
    } catch (error) {
      failure.value = error;
    }
    isBusy.value = false;
  };
  return (
    <>
      <Button kind="main" isBusy={isBusy.value} onClick={download}>
        <Icon name="download" /> {t('admin.privacy.download')}
      </Button>
      {failure.value !== undefined && <FailureBox failure={failure.value} tried={t('admin.privacy.notDownloaded')} />}
    </>
  );
}
