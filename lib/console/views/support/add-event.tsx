import { isPossibleWithoutCarrier, shipmentEventNames } from '#schemas/catalogues/shipment-events.ts';
import { call } from '../../api/client.ts';
import { t } from '../../texts/texts.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckField, SelectField, TimeField } from '../../ui/fields.tsx';
import { FormView, useForm } from '../../ui/form.tsx';
import { notify } from '../../ui/notices.tsx';
import { eventOptions } from '../../ui/shipment-events.ts';
import type { Parcel } from './parcel-state.tsx';

interface AddEventProps {
  parcels: readonly Parcel[];
  onClose: () => void;
  onAdded: () => Promise<unknown>;
}

/** A parcel without a carrier can have few events. */
const possibleEvents = ({ carrier }: Parcel) =>
  shipmentEventNames.filter((name) => carrier.tracking_number !== null || isPossibleWithoutCarrier(name));

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
          options={[{ value: '', label: t('support.choose') }, ...eventOptions(possibleEvents(chosen))]}
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
