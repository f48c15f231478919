import {
  isPossibleWithoutCarrier,
  phases,
  shipmentEventNames,
  shipmentEvents,
} from '#schemas/catalogues/shipment-events.ts';
import { call } from '../../api/client.ts';
import { t, wordOf } from '../../texts/texts.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckField, type Option, SelectField, TimeField } from '../../ui/fields.tsx';
import { FormView, useForm } from '../../ui/form.tsx';
import { notify } from '../../ui/notices.tsx';
import type { Parcel } from './parcel-state.tsx';

interface AddEventProps {
  parcels: readonly Parcel[];
  onClose: () => void;
  onAdded: () => Promise<unknown>;
}

/** Events by the phase that they lead to, in the order of a journey. A parcel without a carrier can have few of them. */
function eventOptions({ carrier }: Parcel): Option[] {
  const names = shipmentEventNames.filter((name) => carrier.tracking_number !== null || isPossibleWithoutCarrier(name));
  const journey = ['order_created', 'order_processed', 'in_transit', 'in_delivery', 'collect', 'delivered', ...phases];
  return [...new Set(journey)].flatMap((phase) =>
    names
      .filter((name) => shipmentEvents[name].phase === phase)
      .map((name) => ({ value: name, label: wordsOf(name), group: wordOf('common.phases', phase) })),
  );
}

const wordsOf = (name: string) => name.charAt(0) + name.slice(1).toLowerCase().replaceAll('_', ' ');

export const parcelName = ({ carrier }: Parcel, position: number): string =>
  carrier.tracking_number ?? t('support.draftNumber', { number: position + 1 });

export function AddEvent({ parcels, onClose, onAdded }: AddEventProps) {
  const form = useForm({
    initial: { parcel: parcels[0]!.uuid, event_name: '', event_time: '', notify: false },
    save: ({ parcel, event_name, event_time, notify: notifies }) =>
      call('createEventOfShipment', {
        params: { shipment_id: parcel },
        query: { notify: notifies },
        body: { event_name: event_name as (typeof shipmentEventNames)[number], ...(event_time && { event_time }) },
      }),
  });
  const chosen = parcels.find(({ uuid }) => uuid === form.values.value.parcel) ?? parcels[0]!;
  const onSaved = async () => {
    await onAdded();
    notify(t('support.event.added'));
    onClose();
  };
  return (
    <Dialog title={t('support.event.add')} onClose={onClose}>
      <FormView form={form} tried={t('support.event.tried')} action={t('support.event.add')} onSaved={onSaved}>
        {parcels.length > 1 && (
          <SelectField
            label={t('support.parcel')}
            options={parcels.map((parcel, i) => ({ value: parcel.uuid, label: parcelName(parcel, i) }))}
            {...form.field('parcel')}
          />
        )}
        <SelectField
          label={t('support.event.what')}
          required
          options={[{ value: '', label: t('support.choose') }, ...eventOptions(chosen)]}
          {...form.field('event_name')}
        />
        <TimeField
          label={t('support.event.when')}
          help={t('support.event.whenHelp')}
          isOptional
          {...form.field('event_time')}
        />
        <CheckField label={t('support.event.notify')} help={t('support.event.notifyHelp')} {...form.field('notify')} />
      </FormView>
    </Dialog>
  );
}
