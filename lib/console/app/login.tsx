import { useSignal } from '@preact/signals';
import type { ComponentChildren, TargetedSubmitEvent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Failure } from '../api/client.ts';
import { t } from '../texts/texts.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextInput } from '../ui/fields.tsx';
import { Icon } from '../ui/icon.tsx';
import { textOf } from '../ui/states.tsx';
import { isSessionOver, logIn, session } from './session.ts';
import { useTitle } from './title.ts';

/** Whatever view the address names opens after the login. */
export function Login() {
  useTitle(t('login.title'));
  return (
    <main id="main" class="alone">
      <LoginForm heading={<h1>{t('login.title')}</h1>} intro={t('login.intro')} />
    </main>
  );
}

/** Over the view, whose forms keep what was typed. */
export function LoginAgain() {
  const close = () => {
    isSessionOver.value = false;
  };
  return (
    <Dialog title={t('login.over')} onClose={close}>
      <LoginForm intro={t('login.again')} username={session.value?.username} />
      <p>
        <Button kind="plain" onClick={close}>
          {t('login.later')}
        </Button>
      </p>
    </Dialog>
  );
}

interface LoginFormProps {
  heading?: ComponentChildren;
  intro: string;
  username?: string | undefined;
}

function LoginForm({ heading, intro, username = '' }: LoginFormProps) {
  const failure = useSignal<string | undefined>(undefined);
  const isBusy = useSignal(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const inputs = [...(form.current?.querySelectorAll('input') ?? [])];
    inputs.find(({ value }) => value === '')?.focus();
  }, []);
  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    isBusy.value = true;
    failure.value = undefined;
    try {
      await logIn(String(fields.get('username')).trim(), String(fields.get('secret')).trim());
    } catch (error) {
      failure.value = error instanceof Failure && error.status === 401 ? t('login.wrong') : textOf(error);
    }
    isBusy.value = false;
  };
  return (
    <form class="login card stack" onSubmit={submit} ref={form}>
      {heading}
      <p>{intro}</p>
      {failure.value && (
        <p class="fault" role="alert">
          <Icon name="warning" /> {failure.value}
        </p>
      )}
      <TextInput label={t('login.username')} name="username" defaultValue={username} autoComplete="username" required />
      <TextInput
        label={t('login.secret')}
        name="secret"
        type="password"
        help={t('login.secretHelp')}
        autoComplete="current-password"
        required
      />
      <Button kind="main" type="submit" isBusy={isBusy.value}>
        {t('login.submit')}
      </Button>
    </form>
  );
}
