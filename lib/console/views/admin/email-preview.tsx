import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { type Answer, addressOf, call, Failure } from '../../api/client.ts';
import { shopName } from '../../app/shop-name.ts';
import { t } from '../../texts/texts.ts';
import { groupText } from '../../ui/event-refs.ts';
import { SelectField } from '../../ui/fields.tsx';
import { languageOptions } from '../../ui/languages.ts';
import { showInPhone } from '../../ui/phone.ts';
import { FailureBox } from '../../ui/states.tsx';
import { emailSectionNames, emailSections, sampleOf } from './email-groups.ts';
import { TestEmail } from './test-email.tsx';

type Mail = Answer<'previewEmail'>;

interface EmailPreviewProps {
  /** As typed, saved or not. */
  sender_name: string;
  reply_to: string;
  mayTest: boolean;
}

const formats = ['html', 'text'] as const;

/** An e-mail as a customer gets it, with sample data and what is not saved yet. The service makes it. */
export function EmailPreview({ sender_name, reply_to, mayTest }: EmailPreviewProps) {
  const event = useSignal<string>('OUT_FOR_DELIVERY');
  const language = useSignal('');
  const theme = useSignal('');
  const format = useSignal<string>('html');
  const mail = useSignal<Mail | undefined>(undefined);
  const failure = useSignal<unknown>(undefined);
  const isBusy = useSignal(true);
  const attempt = useSignal(0);
  const host = useRef<HTMLDivElement>(null);
  const query = { event_name: event.value, language: language.value, theme: theme.value };
  useEffect(() => {
    const own = new AbortController();
    const show = async () => {
      isBusy.value = true;
      try {
        // What the service refuses it says here, in words, and not in the frame.
        mail.value = await call('previewEmail', { query, signal: own.signal });
        if (host.current) await showMail(host.current, query, own.signal);
        failure.value = undefined;
      } catch (error) {
        if (own.signal.aborted) return;
        failure.value = error;
      }
      isBusy.value = false;
    };
    show();
    return () => own.abort();
  }, [JSON.stringify(query), format.value, attempt.value]);
  return (
    <section class="preview email-preview stack" aria-label={t('preview.title')}>
      <h2>{t('preview.title')}</h2>
      <div class="fields">
        <SelectField
          label={t('admin.emails.about')}
          name="preview-event"
          value={event.value}
          onValue={(value) => {
            event.value = value;
          }}
          options={sampleOptions()}
        />
        <SelectField
          label={t('preview.language')}
          name="preview-language"
          value={language.value}
          onValue={(value) => {
            language.value = value;
          }}
          options={[{ value: '', label: t('preview.ofShop') }, ...languageOptions()]}
        />
        <SelectField
          label={t('preview.theme')}
          name="preview-theme"
          value={theme.value}
          onValue={(value) => {
            theme.value = value;
          }}
          options={(['', 'light', 'dark'] as const).map((value) => ({
            value,
            label: t(`app.theme.${value === '' ? 'system' : value}`),
          }))}
        />
        <SelectField
          label={t('admin.emails.format')}
          name="preview-format"
          value={format.value}
          onValue={(value) => {
            format.value = value;
          }}
          options={formats.map((value) => ({ value, label: t(`admin.emails.formats.${value}`) }))}
        />
      </div>
      {failure.value !== undefined && (
        <FailureBox
          failure={failure.value}
          tried={t('preview.tried')}
          retry={() => {
            attempt.value++;
          }}
        />
      )}
      <div class="mail" aria-busy={isBusy.value}>
        <Envelope mail={mail.value} sender={sender_name.trim() || (shopName.value ?? '')} replyTo={reply_to.trim()} />
        {format.value === 'html' ? <div class="phone" ref={host} /> : <pre class="mail-text">{mail.value?.text}</pre>}
      </div>
      <p class="help">{t('admin.emails.previewHelp')}</p>
      {mayTest && <TestEmail event={event.value} language={language.value} />}
    </section>
  );
}

/** What a mail program shows of a mail in its list. */
const Envelope = ({ mail, sender, replyTo }: { mail: Mail | undefined; sender: string; replyTo: string }) => (
  <dl class="envelope">
    <div>
      <dt>{t('admin.emails.from')}</dt>
      <dd>
        <bdi>{sender}</bdi>
      </dd>
    </div>
    {replyTo !== '' && (
      <div>
        <dt>{t('admin.emails.answersTo')}</dt>
        <dd>
          <bdi>{replyTo}</bdi>
        </dd>
      </div>
    )}
    <div>
      <dt>{t('admin.emails.subject')}</dt>
      <dd>
        <strong>{mail?.subject ?? '…'}</strong>
      </dd>
    </div>
    <div>
      <dt>{t('admin.emails.preheader')}</dt>
      <dd class="muted">{mail?.preheader ?? '…'}</dd>
    </div>
  </dl>
);

/** In the order and the words of the switches beside it. */
const sampleOptions = () =>
  emailSectionNames.flatMap((section) =>
    emailSections[section]
      .map(sampleOf)
      .filter((sample) => sample !== undefined)
      .map(({ group, event_name }) => ({
        value: event_name,
        label: groupText(group),
        group: t(`admin.emails.sections.${section}`),
      })),
  );

/** The mail keeps its own styles in a frame, in which nothing runs. */
function showMail(host: HTMLElement, query: Record<string, string>, signal: AbortSignal): Promise<void> {
  const given = Object.entries({ ...query, format: 'html' }).filter(([, value]) => value !== '');
  const frame = {
    title: t('preview.title'),
    open: (element: HTMLIFrameElement) => {
      element.setAttribute('sandbox', 'allow-same-origin');
      element.src = `${addressOf('previewEmail')}?${new URLSearchParams(given)}`;
    },
    onPage: (page: Document) => {
      if (page.contentType !== 'text/html') throw new Failure('api', {});
      // Its links lead out of the preview, to an order that does not exist.
      page.addEventListener('click', keepHere);
    },
  };
  return showInPhone(host, frame, signal);
}

function keepHere(event: Event): void {
  if ((event.target as Element).closest('a')) event.preventDefault();
}
