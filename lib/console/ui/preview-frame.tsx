import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ErrorBody } from '#schemas/catalogues/errors.ts';
import type { PageDraft } from '#schemas/families/pages.ts';
import { addressOf, Failure, surroundings } from '../api/client.ts';
import { t } from '../texts/texts.ts';
import { SelectField } from './fields.tsx';
import { showInPhone } from './phone.ts';
import { PreviewChoices } from './preview-choices.tsx';
import { FailureBox } from './states.tsx';

/** Where a customer may be when the page is opened: one event for each. */
const situations = {
  OUT_FOR_DELIVERY: 'delivery',
  ORDER_PROCESSED: 'processed',
  ARRIVED_AT_SORTING_CENTER: 'transit',
  SUCCESSFULLY_DELIVERED: 'delivered',
  PARCEL_DROPPED_OFF_IN_PARCEL_SHOP: 'collect',
  DELIVERY_ATTEMPTED_RECIPIENT_NOT_AT_HOME: 'failed',
} as const;

interface PreviewFrameProps {
  /** What is not saved yet, in the form of the requests that save it. */
  draft: Partial<PageDraft>;
  /** The language that what is edited is for. The user can choose another one. */
  language?: string | undefined;
  /** The id of the part of the page that is edited: the preview begins there. */
  part?: 'promotion' | 'deals' | 'announcements' | undefined;
}

/** Nobody types that fast. */
const pauseMs = 400;

/**
 * The tracking page as a customer would see it on a telephone, with what is not saved yet. The service makes it: a form
 * is sent into a frame, so that the page keeps its own Content-Security-Policy.
 */
export function PreviewFrame({ draft, language = '', part }: PreviewFrameProps) {
  const host = useRef<HTMLDivElement>(null);
  const event = useSignal<string>('OUT_FOR_DELIVERY');
  const chosen = useSignal<string | undefined>(undefined);
  const theme = useSignal('');
  const failure = useSignal<unknown>(undefined);
  const isBusy = useSignal(true);
  const attempt = useSignal(0);
  const fields = {
    event_name: event.value,
    language: chosen.value ?? language,
    theme: theme.value,
    draft: JSON.stringify({ show_storefront: true, ...draft }),
  };
  useEffect(() => {
    const own = new AbortController();
    const show = async () => {
      isBusy.value = true;
      try {
        const frame = {
          title: t('preview.title'),
          open: ({ name }: HTMLIFrameElement) => send(fields, name),
          onPage: prepare,
          start: (page: Document) => startOf(page, part),
        };
        await showInPhone(host.current!, frame, own.signal);
        failure.value = undefined;
      } catch (error) {
        if (own.signal.aborted) return;
        failure.value = error;
      }
      isBusy.value = false;
    };
    const isFirst = host.current!.childElementCount === 0;
    const timer = setTimeout(show, isFirst ? 0 : pauseMs);
    return () => {
      clearTimeout(timer);
      own.abort();
    };
  }, [JSON.stringify(fields), attempt.value]);
  return (
    <section class="preview stack" aria-label={t('preview.title')}>
      <h2>{t('preview.title')}</h2>
      <div class="fields">
        <SelectField
          label={t('preview.situation')}
          name="preview-event"
          value={event.value}
          onValue={(value) => {
            event.value = value;
          }}
          options={Object.entries(situations).map(([value, name]) => ({
            value,
            label: t(`preview.situations.${name}`),
          }))}
        />
        <PreviewChoices
          language={chosen.value ?? language}
          onLanguage={(value) => {
            chosen.value = value;
          }}
          theme={theme.value}
          onTheme={(value) => {
            theme.value = value;
          }}
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
      <div class="phone" ref={host} aria-busy={isBusy.value} />
      <p class="help">{t('preview.help')}</p>
    </section>
  );
}

/** Where the page begins that shows a part in its middle. `scrollIntoView` would move the console too. */
function startOf(page: Document, part: string | undefined): number {
  const element = part === undefined ? null : page.getElementById(part);
  if (!element) return 0;
  const { top, height } = element.getBoundingClientRect();
  return Math.max(0, top - Math.max(0, page.documentElement.clientHeight - height) / 2);
}

function send(fields: Record<string, string>, target: string): void {
  const form = document.createElement('form');
  Object.assign(form, { method: 'post', action: addressOf('previewDraft'), target, hidden: true });
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement('textarea');
    Object.assign(input, { name, value });
    form.append(input);
  }
  document.body.append(form);
  form.submit();
  form.remove();
}

/** What the service refused stands in the frame as JSON. */
function prepare(page: Document): void {
  if (page.contentType !== 'text/html') throw refusalIn(page);
  // Links lead out of the preview, and its forms have no order.
  for (const name of ['click', 'submit']) page.addEventListener(name, keepHere);
}

function keepHere(event: Event): void {
  const link = (event.target as Element).closest('a');
  if (event.type === 'submit' || (link && !link.getAttribute('href')?.startsWith('#'))) event.preventDefault();
}

type Refusal = Partial<Omit<ErrorBody, 'key'> & { key: string }>;

function refusalIn(page: Document): Failure {
  const { key = '', message = '', errors = [] }: Refusal = bodyOf(page);
  if (key === 'session_required' || key === 'invalid_merchant_or_key') surroundings.onSessionOver();
  return new Failure('api', { key, message, faults: errors });
}

function bodyOf(page: Document): Refusal {
  try {
    return JSON.parse(page.body.textContent ?? '');
  } catch {
    return {};
  }
}
