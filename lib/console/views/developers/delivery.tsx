import { useSignal } from '@preact/signals';
import { emailTarget } from '#schemas/catalogues/emails.ts';
import { integrationName } from '../../app/integration-name.ts';
import type { ViewProps } from '../../app/route.ts';
import { number, t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { CopyText } from '../../ui/copy.tsx';
import { DeliveryState } from '../../ui/delivery-state.tsx';
import { errorWords, failedText } from '../../ui/delivery-words.ts';
import { eventText } from '../../ui/event-refs.ts';
import { Json } from '../../ui/json.tsx';
import { notify } from '../../ui/notices.tsx';
import { Facts, Page, Section } from '../../ui/parts.tsx';
import { FailureBox, Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { State } from '../../ui/tone.tsx';
import { AttemptTime } from './attempt-result.tsx';
import { curlOf } from './curl.ts';
import { figuresOf } from './delivery-figures.ts';
import { MailAttempt, MailRemedy } from './mail-attempt.tsx';
import { type Attempt, type DeliveryDetails, endpointTarget, integrationTarget, type Target } from './target.ts';
import { useUntilEnded } from './until-ended.ts';

export default function DeliveryView({ params }: ViewProps) {
  const target = params.uuid ? endpointTarget(params.uuid) : integrationTarget(params.name ?? emailTarget);
  const id = params.delivery!;
  const delivery = useUntilEnded<DeliveryDetails>(id, (signal) => target.delivery(id, signal));
  return (
    <Loaded resource={delivery} tried={t('developers.delivery.tried')}>
      {(found) => <Found delivery={found} target={target} name={params.name} reload={delivery.reload} />}
    </Loaded>
  );
}

interface FoundProps {
  delivery: DeliveryDetails;
  target: Target;
  /** Of the integration, if it is one. */
  name: string | undefined;
  reload: () => Promise<void>;
}

function Found({ delivery, target, name, reload }: FoundProps) {
  const { id, ref, event_id, event_group, total_attempts, next_attempt_at } = delivery;
  const { attempts, payload, sent_again_at, created_at, updated_at } = delivery;
  const isBusy = useSignal(false);
  const failure = useSignal<unknown>(undefined);
  const sendAgain = async () => {
    isBusy.value = true;
    failure.value = undefined;
    try {
      await target.redeliver(id);
      notify(t(target.isMail ? 'developers.emails.sentAgain' : 'developers.delivery.sentAgain'));
      await reload();
    } catch (error) {
      failure.value = error;
    }
    isBusy.value = false;
  };
  const curl = curlOf(delivery);
  return (
    <Page
      title={eventText(ref)}
      state={<DeliveryState delivery={figuresOf(delivery, target.isMail)} />}
      up={{ path: target.path, label: labelOf(target, name) }}
      actions={
        target.mayRedeliver && (
          <Button kind="main" onClick={sendAgain} isBusy={isBusy.value}>
            {t('developers.delivery.sendAgain')}
          </Button>
        )
      }
    >
      {failure.value !== undefined && (
        <FailureBox failure={failure.value} tried={t('developers.delivery.notSent')} retry={sendAgain} />
      )}
      {target.isMail && <MailRemedy delivery={delivery} />}
      <div class="card">
        <Facts
          facts={[
            [t('developers.delivery.id'), <CopyText key="id" text={id} />],
            [t('developers.delivery.event'), <code key="ref">{ref}</code>],
            [t('developers.delivery.group'), event_group && <code>{event_group}</code>],
            [t('developers.delivery.eventId'), <CopyText key="event" text={event_id} />],
            [t('developers.log.attempts'), number(total_attempts)],
            next_attempt_at !== null && [t('developers.delivery.next'), <Time key="next" at={next_attempt_at} />],
            sent_again_at !== null && [t('developers.delivery.again'), <Time key="again" at={sent_again_at} />],
            [t('developers.log.made'), <Time key="made" at={created_at} />],
            [t('developers.delivery.changed'), <Time key="changed" at={updated_at} />],
          ]}
        />
      </div>
      {!(target.isMail && attempts.length === 0) && (
        <Section title={t('developers.delivery.attempts')}>
          {attempts.length === 0 ? (
            <p class="muted">{t('developers.delivery.noAttempts')}</p>
          ) : (
            <ol class="stack" reversed start={total_attempts}>
              {attempts.toReversed().map((attempt, i) => (
                <li key={attempt.at}>
                  {target.isMail ? (
                    <MailAttempt attempt={attempt} place={total_attempts - i} />
                  ) : (
                    <AttemptCard attempt={attempt} place={total_attempts - i} isOpen={i === 0} />
                  )}
                </li>
              ))}
            </ol>
          )}
        </Section>
      )}
      {!target.isMail && (
        <Section title={t('developers.delivery.payload')} actions={curl && <CopyCurl command={curl} />}>
          {curl && <p class="muted">{t('developers.delivery.curlHelp')}</p>}
          <div class="card">
            {payload === null ? <p class="muted">{t('developers.delivery.noPayload')}</p> : <Json value={payload} />}
          </div>
        </Section>
      )}
    </Page>
  );
}

function labelOf({ isMail }: Target, name: string | undefined): string {
  if (isMail) return t('deliveries.emails.log');
  return name ? integrationName(name) : t('developers.endpoint.title');
}

function CopyCurl({ command }: { command: string }) {
  const copy = () =>
    navigator.clipboard.writeText(command).then(
      () => notify(t('common.copied')),
      () => notify(t('common.notCopied'), 'attention'),
    );
  return <Button onClick={copy}>{t('developers.delivery.curl')}</Button>;
}

function AttemptCard({ attempt, place, isOpen }: { attempt: Attempt; place: number; isOpen: boolean }) {
  const { at, error, status, response, request } = attempt;
  return (
    <details class="card attempt" open={isOpen}>
      <summary>
        <strong>{t('developers.delivery.attempt', { number: place })}</strong>{' '}
        <State tone={error === null ? 'arrived' : 'failed'}>
          {error === null ? t('developers.delivery.accepted', { status: status! }) : failedText(error)}
        </State>{' '}
        <AttemptTime attempt={attempt} /> <Time at={at} />
      </summary>
      <div class="columns attempt-parts">
        <div class="stack tight">
          <h3>{t('developers.delivery.request')}</h3>
          {request ? <Request request={request} /> : <p class="muted">{t('developers.delivery.noRequest')}</p>}
        </div>
        <div class="stack tight">
          <h3>{t('developers.delivery.response')}</h3>
          <p>
            {status === null ? t('developers.delivery.noAnswer') : `HTTP ${status}`}
            {error !== null && status === null && `: ${errorWords(error)}`}
          </p>
          {response === null ? (
            status !== null && (
              <p class="muted">{t(request ? 'developers.delivery.noBody' : 'developers.delivery.noBodyKept')}</p>
            )
          ) : (
            <pre>{response}</pre>
          )}
        </div>
      </div>
    </details>
  );
}

const Request = ({ request: { method, url, headers, body } }: { request: NonNullable<Attempt['request']> }) => (
  <>
    <p>
      <code>
        {method} {url}
      </code>
    </p>
    <dl class="headers">
      {Object.entries(headers).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
    {body === null ? <p class="muted">{t('developers.delivery.bodyIsPayload')}</p> : <Body text={body} />}
  </>
);

function Body({ text }: { text: string }) {
  try {
    return <Json value={JSON.parse(text)} open={1} />;
  } catch {
    return <pre>{text}</pre>;
  }
}
