import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { MailedGroup } from '#schemas/catalogues/emails.ts';
import type { Language } from '#schemas/catalogues/enumerations.ts';
import { addressOf, call } from '../../api/client.ts';
import { shopName } from '../../app/shop-name.ts';
import { t } from '../../texts/texts.ts';
import { groupText } from '../../ui/event-refs.ts';
import { SelectField } from '../../ui/fields.tsx';
import { showInPhone } from '../../ui/phone.ts';
import { PreviewChoices } from '../../ui/preview-choices.tsx';
import { FailureBox } from '../../ui/states.tsx';
import { emailSectionNames, emailSections, sampleOf } from './email-groups.ts';
import { TestEmail } from './test-email.tsx';

/** What the preview answers as JSON. */
interface Mail {
  subject: string;
  preheader: string;
  text: string;
}

interface EmailPreviewProps {
  /** As typed, saved or not. */
  sender_name: string;
  reply_to: string;
  mayTest: boolean;
}

const formats = ['html', 'text'] as const;

/** An e-mail as a customer gets it, with sample data and what is not saved yet. The service makes it. */
export function EmailPreview({ sender_name, reply_to, mayTest }: EmailPreviewProps) {
  const group = useSignal<MailedGroup>('shipment_out_for_delivery');
  const language = useSignal<Language | ''>('');
  const theme = useSignal('');
  const format = useSignal<string>('html');
  const mail = useSignal<Mail | undefined>(undefined);
  const failure = useSignal<unknown>(undefined);
  const isBusy = useSignal(true);
  const attempt = useSignal(0);
  const host = useRef<HTMLDivElement>(null);
  const sample = { ...sampleOf(group.value), ...(language.value && { language: language.value }) };
  const query = { ...sample, ...(theme.value && { theme: theme.value }) };
  useEffect(() => {
    const own = new AbortController();
    const show = async () => {
      isBusy.value = true;
      try {
        // What the service refuses it says here, in words, and not in the frame.
        const answer = await call('previewEmail', { query: { ...query, format: 'json' }, signal: own.signal });
        mail.value = JSON.parse(answer);
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
          value={group.value}
          onValue={(value) => {
            group.value = value as MailedGroup;
          }}
          options={sampleOptions()}
        />
        <PreviewChoices
          language={language.value}
          onLanguage={(value) => {
            language.value = value as Language | '';
          }}
          theme={theme.value}
          onTheme={(value) => {
            theme.value = value;
          }}
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
      {mayTest && <TestEmail sample={sample} />}
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
    emailSections[section].map((group: MailedGroup) => ({
      value: group,
      label: groupText(group),
      group: t(`admin.emails.sections.${section}`),
    })),
  );

/** The mail keeps its own styles in a frame, in which nothing runs and from which no link leads away. */
function showMail(host: HTMLElement, query: object, signal: AbortSignal): Promise<void> {
  const open = (frame: HTMLIFrameElement) => {
    frame.setAttribute('sandbox', '');
    frame.src = `${addressOf('previewEmail')}?${new URLSearchParams({ ...query, format: 'html' } as Record<string, string>)}`;
  };
  return showInPhone(host, { title: t('preview.title'), open }, signal);
}
