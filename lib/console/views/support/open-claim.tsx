import { claimReasons, resolutionPreferences } from '#schemas/catalogues/enumerations.ts';
import { claimLimits } from '#schemas/catalogues/limits.ts';
import { call } from '../../api/client.ts';
import { can } from '../../app/session.ts';
import { money, t, wordOf } from '../../texts/texts.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextArea } from '../../ui/fields.tsx';
import { FormView, useForm } from '../../ui/form.tsx';
import { notify } from '../../ui/notices.tsx';
import { parcelName } from './add-event.tsx';
import type { Order } from './parcel-state.tsx';
import { type Photo, PhotoField } from './photo-field.tsx';

interface OpenClaimProps {
  order: Order;
  onClose: () => void;
  onOpened: () => Promise<unknown>;
}

export function OpenClaim({ order, onClose, onOpened }: OpenClaimProps) {
  const parcels = order.trackings;
  const form = useForm({
    initial: {
      shipment_id: parcels[0]!.uuid,
      reason: '',
      resolution_preference: '',
      description: '',
      items: [] as number[],
      photos: [] as Photo[],
    },
    fieldOf: (place) => place.replace(/^image_urls.*/, 'photos').replace(/^selected_items.*/, 'items'),
    save: ({ shipment_id, reason, resolution_preference, description, items, photos }) =>
      call('createClaim', {
        body: {
          shipment_id,
          reason: reason as (typeof claimReasons)[number],
          resolution_preference: (resolution_preference || null) as (typeof resolutionPreferences)[number] | null,
          description: description || null,
          selected_items: items.map((i) => toItem(productsOf(order, shipment_id)[i]!)),
          image_urls: photos.map(({ url }) => url),
        },
      }),
  });
  const products = productsOf(order, form.values.value.shipment_id);
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
            onValue={(shipment_id) => form.set({ shipment_id, items: [] })}
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
        {products.length > 0 && (
          <fieldset>
            <legend>
              {t('support.claim.items')} <span class="muted">{t('common.optional')}</span>
            </legend>
            {products.map((product, i) => (
              <label key={`${product.sku} ${i}`} class="choice">
                <input
                  type="checkbox"
                  checked={form.values.value.items.includes(i)}
                  onChange={({ currentTarget: { checked } }) => {
                    const others = form.values.value.items.filter((one) => one !== i);
                    form.set({ items: checked ? [...others, i].sort((a, b) => a - b) : others });
                  }}
                />
                <span>
                  <span>
                    {product.quantity ?? 1} × <bdi>{productName(product)}</bdi>
                  </span>
                  {product.price !== undefined && <span class="help">{money(product.price, order.currency)}</span>}
                </span>
              </label>
            ))}
          </fieldset>
        )}
        {can('uploadImage') && (
          <PhotoField
            photos={form.values.value.photos}
            fault={form.faultOf('photos')}
            onPhotos={(photos) => form.set({ photos })}
          />
        )}
      </FormView>
    </Dialog>
  );
}

type Product = Order['trackings'][number]['products'][number];

/** Those of the parcel, or of the order if nobody said what is in which parcel. */
function productsOf({ trackings, products = [] }: Order, shipmentId: string): readonly Product[] {
  const ofParcel = trackings.find(({ uuid }) => uuid === shipmentId)?.products ?? [];
  return ofParcel.length > 0 ? ofParcel : products;
}

const productName = ({ title, variant_title, sku }: Product): string =>
  [title, variant_title].filter(Boolean).join(', ') || sku || '–';

/** As a customer's claim names it. */
const toItem = (product: Product) => ({
  sku: product.sku ?? null,
  title: productName(product).slice(0, claimLimits.titleCharacters),
  quantity: product.quantity ?? null,
  image_urls: [],
});

/** The options of a choice, in the words of the user's language. */
const options = (group: string, values: readonly string[]) =>
  values.map((value) => ({ value, label: wordOf(group, value) }));
