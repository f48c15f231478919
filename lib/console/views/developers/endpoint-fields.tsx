import { t } from '../../texts/texts.ts';
import { EventChooser } from '../../ui/event-chooser.tsx';
import { CheckField, TextField } from '../../ui/fields.tsx';
import type { Form } from '../../ui/form.tsx';
import type { Endpoint } from './target.ts';

export interface EndpointValues {
  url: string;
  description: string;
  enabled_events: string[];
  isActive: boolean;
}

export const newValues: EndpointValues = { url: '', description: '', enabled_events: ['*'], isActive: true };

export const valuesOf = ({ url, description, enabled_events, status }: Endpoint): EndpointValues => ({
  url,
  description: description ?? '',
  enabled_events,
  isActive: status === 'active',
});

export const bodyOf = ({ url, description, enabled_events, isActive }: EndpointValues) => ({
  url: url.trim(),
  description: description.trim() || null,
  enabled_events,
  status: isActive ? ('active' as const) : ('inactive' as const),
});

export const EndpointFields = ({ form }: { form: Form<EndpointValues> }) => (
  <>
    <TextField
      label={t('developers.endpoint.url')}
      help={t('developers.endpoint.urlHelp')}
      type="url"
      inputMode="url"
      maxLength={2048}
      placeholder="https://example.com/events"
      {...form.field('url')}
    />
    <TextField
      label={t('developers.endpoint.description')}
      isOptional
      maxLength={1000}
      {...form.field('description')}
    />
    <EventChooser {...form.field('enabled_events')} />
    <CheckField
      label={t('developers.endpoint.isActive')}
      help={t('developers.endpoint.isActiveHelp')}
      {...form.field('isActive')}
      fault={form.faultOf('status')}
    />
  </>
);
