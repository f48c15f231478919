import { claimReasons, resolutionPreferences } from '#schemas/catalogues/enumerations.ts';
import { claimLimits } from '#schemas/catalogues/limits.ts';
import { call } from '../../api/client.ts';
import { t, wordOf } from '../../texts/texts.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextArea } from '../../ui/fields.tsx';
import { FormView, useForm } from '../../ui/form.tsx';
import { notify } from '../../ui/notices.tsx';
import { parcelName } from './add-event.tsx';
import type { Order } from './parcel-state.tsx';

interface OpenClaimProps {
  order: Order;
  onClose: () => void;
  onOpened: () => Promise<unknown>;
}

export function OpenClaim({ order, onClose, onOpened }: OpenClaimProps) {
  const parcels = order.trackings;
  const form = useForm({
    initial: { shipment_id: parcels[0]!.uuid, reason: '', resolution_preference: '', description: '' },
    save: ({ shipment_id, reason, resolution_preference, description }) =>
      call('createClaim', {
        body: {
          shipment_id,
          reason: reason as (typeof claimReasons)[number],
          resolution_preference: (resolution_preference || null) as (typeof resolutionPreferences)[number] | null,
          description: description || null,
        },
      }),
  });
  const onSaved = async () => {
    await onOpened();
    notify(t('support.claim.opened'));
    onClose();
  };
  return (
    <Dialog title={t('support.claim.open')} onClose={onClose}>
      <FormView form={form} tried={t('support.claim.openTried')} action={t('support.claim.open')} onSaved={onSaved}>
        {parcels.length > 1 && (
          <SelectField
            label={t('support.parcel')}
            options={parcels.map((parcel, i) => ({ value: parcel.uuid, label: parcelName(parcel, i) }))}
            {...form.field('shipment_id')}
          />
        )}
        <SelectField
          label={t('support.claims.reason')}
          required
          options={[{ value: '', label: t('support.choose') }, ...options('support.reasons', claimReasons)]}
          {...form.field('reason')}
        />
        <SelectField
          label={t('support.claims.preference')}
          isOptional
          options={[
            { value: '', label: t('support.unknown') },
            ...options('support.preferences', resolutionPreferences),
          ]}
          {...form.field('resolution_preference')}
        />
        <TextArea
          label={t('support.claim.description')}
          help={t('support.claim.descriptionHelp')}
          isOptional
          maxLength={claimLimits.descriptionCharacters}
          {...form.field('description')}
        />
      </FormView>
    </Dialog>
  );
}

/** The options of a choice, in the words of the user's language. */
const options = (group: string, values: readonly string[]) =>
  values.map((value) => ({ value, label: wordOf(group, value) }));
