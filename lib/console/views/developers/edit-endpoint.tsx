import { call } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import type { ViewProps } from '../../app/route.ts';
import { go, inShop } from '../../app/router.ts';
import { t } from '../../texts/texts.ts';
import { FormView, useForm } from '../../ui/form.tsx';
import { notify } from '../../ui/notices.tsx';
import { Page } from '../../ui/parts.tsx';
import { Loaded } from '../../ui/states.tsx';
import { bodyOf, EndpointFields, valuesOf } from './endpoint-fields.tsx';
import { NoEndpoint } from './no-endpoint.tsx';
import { type Endpoint, endpointOf } from './target.ts';

export default function EditEndpoint({ params }: ViewProps) {
  const endpoint = useResource(params.uuid!, (signal) => endpointOf(params.uuid!, signal).then((found) => ({ found })));
  return (
    <Page
      title={t('developers.endpoint.edit')}
      up={{ path: inShop(`/endpoints/${params.uuid}`), label: t('developers.endpoint.title') }}
    >
      <Loaded resource={endpoint} tried={t('developers.endpoint.tried')}>
        {({ found }) => (found ? <Edit endpoint={found} /> : <NoEndpoint />)}
      </Loaded>
    </Page>
  );
}

function Edit({ endpoint }: { endpoint: Endpoint }) {
  const { uuid } = endpoint;
  const form = useForm({
    initial: valuesOf(endpoint),
    etag: endpoint.updated_at,
    save: (values, ifMatch) => call('updateWebhook', { params: { uuid }, body: bodyOf(values), ifMatch }),
    readTheirs: async () => {
      const theirs = (await endpointOf(uuid)) ?? endpoint;
      return { values: valuesOf(theirs), etag: theirs.updated_at };
    },
  });
  const onSaved = () => {
    notify(t('developers.endpoint.saved'));
    go(inShop(`/endpoints/${uuid}`));
  };
  return (
    <FormView form={form} tried={t('developers.endpoint.notSaved')} action={t('common.save')} onSaved={onSaved}>
      <EndpointFields form={form} />
    </FormView>
  );
}
