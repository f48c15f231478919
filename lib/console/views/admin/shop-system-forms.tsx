import { useEffect, useRef } from 'preact/hooks';
import { type ShopSystem, shopSystems } from '#schemas/catalogues/shop-webhooks.ts';
import { type Answer, call } from '../../api/client.ts';
import { t } from '../../texts/texts.ts';
import { confirm } from '../../ui/confirm.tsx';
import { TextField } from '../../ui/fields.tsx';
import { FormView, useForm } from '../../ui/form.tsx';
import { notify } from '../../ui/notices.tsx';
import { type Connection, callAddress, keyOf, systemOf } from './shop-connection.ts';
import { systemName } from './shop-system-words.ts';

interface SystemFormProps {
  connection: Connection;
  shop: Answer<'getShop'>;
  onSaved: () => Promise<void>;
}

/** Which of the three systems the shop has. */
export function SystemForm({ connection, shop, onSaved }: SystemFormProps) {
  const stored = shop.shop_provider;
  const form = useForm<{ shop_provider: string }>({
    initial: { shop_provider: stored ?? '' },
    etag: shop.updated_at,
    save: (values, ifMatch) => call('updateShop', { body: values as { shop_provider: ShopSystem }, ifMatch }),
  });
  useEffect(() => form.basedOn(shop.updated_at), [shop.updated_at]);
  const chosen = form.values.value.shop_provider as ShopSystem | '';
  const present = systemOf(connection);
  const mayChange = async () => {
    if (chosen === '' || !present || present === chosen || connection.lastReceivedAt === null) return true;
    const names = { next: systemName(chosen), system: systemName(present) };
    const isSure = await confirm({
      title: t('admin.shopSystem.choose.switchTitle', names),
      text: t('admin.shopSystem.choose.switchText', names),
      action: t('admin.shopSystem.choose.switch', names),
    });
    return isSure === true;
  };
  return (
    <FormView
      form={form}
      tried={t('admin.tried.save')}
      action={t('admin.shopSystem.choose.action')}
      before={mayChange}
      onSaved={async () => {
        notify(t('admin.shopSystem.choose.saved', { system: systemName(chosen as ShopSystem) }));
        await onSaved();
      }}
    >
      {stored === null && present && <p class="help">{t('admin.shopSystem.choose.taken')}</p>}
      {stored === 'api' && <p class="help">{t('admin.shopSystem.choose.api')}</p>}
      <fieldset>
        <legend class="hidden">{t('admin.shopSystem.choose.title')}</legend>
        {shopSystems.map((system) => (
          <label key={system} class="choice">
            <input
              type="radio"
              name="shop_provider"
              value={system}
              checked={chosen === system}
              onChange={() => form.set({ shop_provider: system })}
            />
            <span>
              <strong>{systemName(system)}</strong>
              <span class="help">{t(`admin.shopSystem.choose.how.${system}`)}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {form.faultOf('shop_provider') && (
        <p class="fault" tabIndex={-1} data-fault>
          {form.faultOf('shop_provider')}
        </p>
      )}
    </FormView>
  );
}

interface AccessFormProps {
  system: Exclude<ShopSystem, 'shop_system_2'>;
  addresses: Answer<'getShopAddresses'>;
  keys: Answer<'listIntegrationKeys'>;
  isOutdated: boolean;
  onSaved: () => Promise<void>;
}

const parts = {
  shop_system_1: ['api_key'],
  shop_system_3: ['client_id', 'client_secret'],
} as const;

type Part = (typeof parts)[keyof typeof parts][number];
const noKey = { api_key: '', client_id: '', client_secret: '' };

/** A shop of WooCommerce is called where customers see it. That of Shopify mostly has another address there. */
const likelyAddress = (system: ShopSystem, { shop_url }: Answer<'getShopAddresses'>): string =>
  (system === 'shop_system_3' && shop_url) || '';

type AccessValues = { shop_admin_url: string } & Record<Part, string>;

/** The address of the shop's system and the key for it, saved together because the key is for that address only. */
export function AccessForm({ system, addresses, keys, isOutdated, onSaved }: AccessFormProps) {
  const savedAddress = useRef(addresses.shop_admin_url);
  const form = useForm<AccessValues>({
    initial: { shop_admin_url: addresses.shop_admin_url ?? likelyAddress(system, addresses), ...noKey },
    etag: addresses.updated_at,
    save: async (values, ifMatch) => {
      const shop_admin_url = callAddress(system, values.shop_admin_url);
      if (shop_admin_url !== savedAddress.current) {
        await call('updateShop', { body: { shop_admin_url: shop_admin_url || null }, ifMatch });
        // If the key is refused, the next try goes on from here.
        savedAddress.current = shop_admin_url;
      }
      const body = Object.fromEntries(parts[system].map((part) => [part, values[part].trim()]));
      await call('setIntegrationKey', {
        params: { integration: keyOf[system] as 'integration_7' },
        body: body as never,
      });
    },
  });
  useEffect(() => form.basedOn(addresses.updated_at), [addresses.updated_at]);
  const masked = maskedKey(keys, system);
  return (
    <FormView
      form={form}
      tried={t('admin.tried.save')}
      action={t('admin.shopSystem.access.action')}
      onSaved={async () => {
        notify(t('admin.shopSystem.access.saved', { system: systemName(system) }));
        form.reset({ shop_admin_url: savedAddress.current ?? '', ...noKey }, addresses.updated_at);
        await onSaved();
      }}
    >
      {isOutdated ? (
        <p class="fault">{t('admin.integrationKeys.setAgain')}</p>
      ) : (
        masked && <p class="help">{t('admin.shopSystem.access.stored', { key: masked })}</p>
      )}
      <TextField
        label={t('admin.shopSystem.access.address')}
        help={t(`admin.shopSystem.access.addressHelp.${system}`)}
        placeholder={system === 'shop_system_1' ? 'my-shop.myshopify.com' : 'https://shop.example'}
        {...form.field('shop_admin_url')}
        inputMode="url"
        required
      />
      {parts[system].map((part) => (
        <TextField
          key={part}
          label={t(`admin.shopSystem.access.parts.${part}`)}
          help={t(`admin.shopSystem.access.partsHelp.${part}`)}
          {...form.field(part)}
          type={part === 'client_id' ? 'text' : 'password'}
          autoComplete="off"
          required
        />
      ))}
    </FormView>
  );
}

/** What is known of the stored key: the last characters of its first part. */
function maskedKey(keys: Answer<'listIntegrationKeys'>, system: AccessFormProps['system']): string | undefined {
  const stored = (keys as Record<string, unknown>)[keyOf[system]];
  if (typeof stored === 'string') return stored;
  return (stored as { client_id?: string | null } | null | undefined)?.client_id ?? undefined;
}
