import { useSignal } from '@preact/signals';
import { call } from '../../api/client.ts';
import { can } from '../../app/session.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { CopyText } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { FormView, useForm } from '../../ui/form.tsx';
import { notify } from '../../ui/notices.tsx';
import { Section } from '../../ui/parts.tsx';
import { Time } from '../../ui/time.tsx';
import type { Endpoint } from './target.ts';

interface SecretsProps {
  endpoint: Endpoint;
  older: readonly { masked_secret: string; valid_until: string }[];
  onRotated: () => Promise<unknown>;
}

/** The secret that signs, the older ones with the time they end, and a new one. */
export function Secrets({ endpoint, older, onRotated }: SecretsProps) {
  const isShown = useSignal(false);
  const isRotating = useSignal(false);
  const { secret } = endpoint;
  const rotate = can('rotateWebhookSecret') && (
    <Button
      onClick={() => {
        isRotating.value = true;
      }}
    >
      {t('developers.secret.rotate')}
    </Button>
  );
  return (
    <Section title={t('developers.secret.title')} actions={rotate}>
      <div class="card stack">
        <p class="actions secret">
          <CopyText
            text={secret}
            shown={isShown.value ? secret : masked(secret)}
            label={t('developers.secret.title')}
          />
          <Button
            kind="plain"
            aria-pressed={isShown.value}
            onClick={() => {
              isShown.value = !isShown.value;
            }}
          >
            {t(isShown.value ? 'developers.secret.hide' : 'developers.secret.show')}
          </Button>
        </p>
        <p class="help">{t('developers.secret.help')}</p>
        {older.length > 0 && (
          <>
            <h3>{t('developers.secret.older')}</h3>
            <ul class="stack tight">
              {older.map(({ masked_secret, valid_until }) => (
                <li key={valid_until + masked_secret}>
                  <code>{masked_secret}</code> {t('developers.secret.endsAt')} <Time at={valid_until} />
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
      {isRotating.value && (
        <Rotation
          uuid={endpoint.uuid}
          onClose={() => {
            isRotating.value = false;
          }}
          onRotated={async () => {
            isRotating.value = false;
            isShown.value = true;
            notify(t('developers.secret.rotated'));
            await onRotated();
          }}
        />
      )}
    </Section>
  );
}

const masked = (secret: string) => `••••••••${secret.slice(-4)}`;

const graceHours = [0, 1, 24, 72, 168];

interface RotationProps {
  uuid: string;
  onClose: () => void;
  onRotated: () => Promise<void>;
}

function Rotation({ uuid, onClose, onRotated }: RotationProps) {
  const form = useForm({
    initial: { grace_hours: '24', secret: '' },
    save: ({ grace_hours, secret }) =>
      call('rotateWebhookSecret', {
        params: { uuid },
        body: { grace_hours: Number(grace_hours), secret: secret.trim() || null },
      }),
  });
  const hours = Number(form.values.value.grace_hours);
  const end = new Date(Date.now() + hours * 3_600_000).toISOString();
  return (
    <Dialog title={t('developers.secret.rotateTitle')} onClose={onClose}>
      <FormView
        form={form}
        tried={t('developers.secret.notRotated')}
        action={t('developers.secret.rotateNow')}
        onSaved={onRotated}
        more={<Button onClick={onClose}>{t('common.cancel')}</Button>}
      >
        <p>{t('developers.secret.rotateText')}</p>
        <SelectField
          label={t('developers.secret.grace')}
          options={graceHours.map((count) => ({ value: String(count), label: graceText(count) }))}
          {...form.field('grace_hours')}
        />
        <p>
          {hours === 0 ? t('developers.secret.endsAtOnce') : t('developers.secret.ends')}{' '}
          {hours > 0 && <Time at={end} />}
        </p>
        <TextField
          label={t('developers.secret.own')}
          help={t('developers.secret.ownHelp')}
          isOptional
          maxLength={64}
          autoComplete="off"
          {...form.field('secret')}
        />
      </FormView>
    </Dialog>
  );
}

const graceText = (count: number): string =>
  count === 0 ? t('developers.secret.atOnce') : t('developers.secret.hours', { count });
