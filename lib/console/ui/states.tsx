import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Failure } from '../api/client.ts';
import type { Resource } from '../api/resource.ts';
import { faultText } from '../texts/errors.ts';
import { hasText, language, t } from '../texts/texts.ts';
import { Button } from './button.tsx';
import { CopyText } from './copy.tsx';
import { Icon, type IconName } from './icon.tsx';

/** Shows only waits that people notice. */
const noticedMs = 300;

export function Waiting({ text }: { text?: string | undefined }) {
  const [isNoticed, setNoticed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setNoticed(true), noticedMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <p class="waiting" role="status">
      {isNoticed && (
        <>
          <span class="spinner" aria-hidden="true" /> {text ?? t('common.loading')}
        </>
      )}
    </p>
  );
}

/** What happened, in words for people. */
export function textOf(failure: unknown): string {
  if (!(failure instanceof Failure)) return t('failure.unknown');
  if (failure.kind === 'network') return t('failure.network');
  if (failure.kind === 'slow') return t('failure.slow');
  if (failure.faults.length > 0) return failure.faults.map((fault) => withPlace(failure, fault)).join(' ');
  return keyText(failure) || t('failure.status', { status: String(failure.status) });
}

/** The service says more about these than that they happened. It says so in English. */
const detailed = ['payload_too_large', 'bad_gateway', 'simulation_ended', 'partner_key_missing_permissions'];

/** The console's own words for an error of the service, else the words that the failure has. */
export function keyText({ key, message }: Failure): string {
  if (detailed.includes(key) && language.value === 'en') return message;
  const own = `errors.keys.${key}`;
  return hasText(own) ? t(own) : message;
}

type Fault = Failure['faults'][number];

/** Elsewhere the name of the field stands before it. */
const withPlace = ({ key }: Failure, fault: Fault): string => {
  const place = fault.loc.slice(1).join('.');
  return key === 'invalid_payload' && place !== '' ? `${place}: ${faultText(fault.msg)}` : faultText(fault.msg);
};

interface FailureBoxProps {
  failure: unknown;
  /** What was tried: "Your claims could not be read." */
  tried: string;
  /** What the service answered. Default: `textOf` of the failure. */
  text?: string;
  retry?: (() => unknown) | undefined;
  children?: ComponentChildren;
}

/** What was tried, what the service answered, and what to do next. */
export function FailureBox({ failure, tried, text = textOf(failure), retry, children }: FailureBoxProps) {
  const id = failure instanceof Failure ? failure.correlationId : undefined;
  return (
    <div class="failure card" role="alert" tabIndex={-1}>
      <Icon name="warning" />
      <div class="stack">
        <p>
          <strong>{tried}</strong>
        </p>
        <p>{text}</p>
        {id && (
          <p class="muted">
            {t('failure.correlation')} <CopyText text={id} />
          </p>
        )}
        <div class="actions">
          {retry && <Button onClick={() => retry()}>{t('failure.retry')}</Button>}
          {children}
        </div>
      </div>
    </div>
  );
}

interface LoadedProps<T> {
  resource: Resource<T>;
  /** What to say if it fails: "Your claims could not be read." */
  tried: string;
  /** What is loading, if a view waits for several things. */
  waiting?: string;
  children: (value: T) => ComponentChildren;
}

/** The value of a resource, or why it is not there yet. A failed reload keeps what was read before, and says so. */
export function Loaded<T>({ resource, tried, waiting, children }: LoadedProps<T>) {
  const value = resource.value.value;
  const failure = resource.failure.value;
  if (value === undefined && failure === undefined) return <Waiting text={waiting} />;
  return (
    <>
      {failure !== undefined && <FailureBox failure={failure} tried={tried} retry={resource.reload} />}
      {value !== undefined && (
        <div class="loaded" aria-busy={resource.isLoading.value}>
          {children(value)}
        </div>
      )}
    </>
  );
}

interface EmptyProps {
  /** What would be here. */
  title: string;
  /** How to get it. */
  text: string;
  icon?: IconName;
  children?: ComponentChildren;
}

export const Empty = ({ title, text, icon = 'parcel', children }: EmptyProps) => (
  <div class="empty">
    <Icon name={icon} />
    <h2>{title}</h2>
    <p>{text}</p>
    {children && <div class="actions">{children}</div>}
  </div>
);
