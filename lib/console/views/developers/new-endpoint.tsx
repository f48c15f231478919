import { useRef } from 'preact/hooks';
import { call } from '../../api/client.ts';
import { go, inShop } from '../../app/router.ts';
import { t } from '../../texts/texts.ts';
import { FormView, useForm } from '../../ui/form.tsx';
import { notify } from '../../ui/notices.tsx';
import { Page } from '../../ui/parts.tsx';
import { bodyOf, EndpointFields, newValues } from './endpoint-fields.tsx';

export default function NewEndpoint() {
  const made = useRef('');
  const form = useForm({
    initial: newValues,
    save: async (values) => {
      made.current = (await call('createWebhook', { body: bodyOf(values) })).uuid;
    },
  });
  const onSaved = () => {
    notify(t('developers.endpoints.created'));
    go(inShop(`/endpoints/${made.current}`));
  };
  return (
    <Page
      title={t('developers.endpoints.new')}
      up={{ path: inShop('/endpoints'), label: t('developers.endpoints.title') }}
    >
      <FormView
        form={form}
        tried={t('developers.endpoints.notCreated')}
        action={t('developers.endpoints.create')}
        onSaved={onSaved}
      >
        <EndpointFields form={form} />
      </FormView>
    </Page>
  );
}
