import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../texts/texts.ts';
import { showInPhone } from '../../ui/phone.ts';
import { FailureBox } from '../../ui/states.tsx';

interface TrackingPageProps {
  url: string;
  /** The page is opened anew when it changes. */
  state: string;
}

/** What a customer would see now. */
export const TrackingPage = ({ url, state }: TrackingPageProps) => (
  <section class="stack" aria-label={t('simulations.page.title')}>
    <header class="section-head">
      <h2>{t('simulations.page.title')}</h2>
      <a href={url} target="_blank" rel="noreferrer">
        {t('simulations.page.open')}
      </a>
    </header>
    {/* A page may be shown in a frame of its own origin only. */}
    {new URL(url).origin === location.origin ? (
      <Phone url={url} state={state} />
    ) : (
      <p class="muted">{t('simulations.page.elsewhere')}</p>
    )}
  </section>
);

function Phone({ url, state }: TrackingPageProps) {
  const host = useRef<HTMLDivElement>(null);
  const failure = useSignal<unknown>(undefined);
  const isBusy = useSignal(true);
  const attempt = useSignal(0);
  useEffect(() => {
    const own = new AbortController();
    const show = async () => {
      isBusy.value = true;
      try {
        const page = { title: t('simulations.page.title'), open: openIn(url), onPage: () => {} };
        await showInPhone(host.current!, page, own.signal);
        failure.value = undefined;
      } catch (error) {
        if (own.signal.aborted) return;
        failure.value = error;
      }
      isBusy.value = false;
    };
    show();
    return () => own.abort();
  }, [url, state, attempt.value]);
  return (
    <>
      {failure.value !== undefined && (
        <FailureBox
          failure={failure.value}
          tried={t('simulations.page.tried')}
          retry={() => {
            attempt.value++;
          }}
        />
      )}
      <div class="phone" ref={host} aria-busy={isBusy.value} />
      <p class="help">{t('simulations.page.help')}</p>
    </>
  );
}

const openIn = (url: string) => (frame: HTMLIFrameElement) => {
  // Also after a form of the page was sent.
  frame.addEventListener('load', () => frame.contentDocument?.addEventListener('click', leadOut));
  frame.src = url;
};

/** Other sites may not be shown in a frame of the console. */
function leadOut(event: Event): void {
  const link = (event.target as Element).closest('a');
  if (!link || link.origin === location.origin) return;
  link.target = '_blank';
  link.rel = 'noreferrer';
}
