import { useSignal } from '@preact/signals';
import { claimLimits } from '#schemas/catalogues/limits.ts';
import { webLink } from '#schemas/catalogues/links.ts';
import { type Answer, call } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { can } from '../../app/session.ts';
import { t } from '../../texts/texts.ts';
import { authorOf } from '../../ui/author.ts';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/fields.tsx';
import { FormView, useForm } from '../../ui/form.tsx';
import { notify } from '../../ui/notices.tsx';
import { Section } from '../../ui/parts.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { State } from '../../ui/tone.tsx';
import type { Claim } from './claim-form.tsx';
import { type Photo, PhotoField } from './photo-field.tsx';

type Message = Answer<'listClaimMessages'>[number];

/** So many are shown at first, and so many more each time. The API gives a hundred at once. */
const step = 20;
const most = 100;

interface ConversationProps {
  claim: Claim;
  /** The claim has changed by it. */
  onSent: () => Promise<unknown>;
}

/** What shop and customer wrote to each other, newest last, and the form to answer. */
export function Conversation({ claim, onSent }: ConversationProps) {
  const { uuid, message_count, status, unanswered_since } = claim;
  const shown = useSignal(step);
  const messages = useResource(`${uuid} ${message_count} ${shown.value}`, (signal) =>
    call('listClaimMessages', { params: { uuid }, query: { per_page: shown.value }, signal }),
  );
  return (
    <Section title={t('support.claim.messages.title')}>
      {unanswered_since && (
        <p>
          <State tone="attention" icon="claim">
            {t('support.claim.messages.waits')}
          </State>{' '}
          <span class="muted">
            <Time at={unanswered_since} />
          </span>
        </p>
      )}
      {message_count === 0 ? (
        <p class="muted">{t('support.claim.messages.none')}</p>
      ) : (
        <Loaded resource={messages} tried={t('support.claim.messages.tried')}>
          {(found) => (
            <>
              {message_count > shown.value && shown.value < most && (
                <Button
                  onClick={() => {
                    shown.value = Math.min(most, shown.value + step);
                  }}
                >
                  {t('support.claim.messages.earlier')}
                </Button>
              )}
              <ol class="card history">
                {found.toReversed().map((message) => (
                  <MessageView key={message.uuid} message={message} />
                ))}
              </ol>
            </>
          )}
        </Loaded>
      )}
      {status === 'closed' && <p class="muted">{t('support.claim.messages.closed')}</p>}
      {status !== 'closed' && can('createClaimMessage') && <MessageForm claim={claim} onSent={onSent} />}
    </Section>
  );
}

const writerOf = ({ from, author }: Message): string =>
  from === 'customer'
    ? t('support.claim.messages.customer')
    : t('support.claim.messages.shop', { who: authorOf({ by: '', by_name: author }) });

const MessageView = ({ message }: { message: Message }) => (
  <li>
    <p>
      <strong>
        <bdi>{writerOf(message)}</bdi>
      </strong>{' '}
      <span class="muted">
        <Time at={message.at} />
      </span>
    </p>
    <p class="lines">
      <bdi>{message.text}</bdi>
    </p>
    {message.image_urls.length > 0 && (
      <ul class="photos">
        {message.image_urls.map((given, i) => {
          const url = webLink(given);
          return (
            url && (
              <li key={given}>
                <a href={url} target="_blank" rel="noreferrer">
                  <img src={url} alt={t('support.claim.messages.photo', { number: i + 1 })} loading="lazy" />
                </a>
              </li>
            )
          );
        })}
      </ul>
    )}
  </li>
);

function MessageForm({ claim: { uuid }, onSent }: ConversationProps) {
  const nothing = { text: '', photos: [] as Photo[] };
  const form = useForm({
    initial: nothing,
    fieldOf: (place) => place.replace(/^image_urls.*/, 'photos'),
    save: ({ text, photos }) =>
      call('createClaimMessage', { params: { uuid }, body: { text, image_urls: photos.map(({ url }) => url) } }),
  });
  return (
    <div class="card">
      <FormView
        form={form}
        tried={t('support.claim.messages.sendTried')}
        action={t('support.claim.messages.send')}
        onSaved={async () => {
          form.reset(nothing, undefined);
          await onSent();
          notify(t('support.claim.messages.sent'));
        }}
      >
        <TextArea
          label={t('support.claim.messages.text')}
          help={t('support.claim.messages.textHelp')}
          required
          maxLength={claimLimits.messageCharacters}
          {...form.field('text')}
        />
        {can('uploadImage') && (
          <PhotoField
            photos={form.values.value.photos}
            fault={form.faultOf('photos')}
            help={(count) => t('support.claim.messages.photosHelp', { count })}
            onPhotos={(photos) => form.set({ photos })}
          />
        )}
      </FormView>
    </div>
  );
}
