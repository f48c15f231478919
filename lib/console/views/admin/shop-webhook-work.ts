import { useSignal } from '@preact/signals';
import type { ShopSystem, ShopWebhookType } from '#schemas/catalogues/shop-webhooks.ts';
import { call, Failure } from '../../api/client.ts';
import { t } from '../../texts/texts.ts';
import { confirm } from '../../ui/confirm.tsx';
import { notify } from '../../ui/notices.tsx';
import { systemName, typeName } from './shop-system-words.ts';

type What = ShopWebhookType | 'all';

/** Registering and removing webhooks in the shop's system. */
export interface WebhookWork {
  /** What is under way. */
  busy: What | undefined;
  failure: { of: What; error: unknown; tried: string } | undefined;
  /** One after the other, until one fails. */
  registerAll: (types: readonly ShopWebhookType[]) => Promise<void>;
  register: (type: ShopWebhookType) => Promise<void>;
  remove: (type: ShopWebhookType) => Promise<void>;
}

interface Task {
  /** What to say if it fails. */
  tried: string;
  work: () => Promise<unknown>;
}

const registration = (type: ShopWebhookType): Task => ({
  tried: t('admin.shopSystem.notRegistered', { name: typeName(type) }),
  work: () =>
    call('createRegistration', { body: { webhook_type: type } }).catch((error) => {
      // Somebody else was faster, or an earlier try got further than its answer.
      if (!(error instanceof Failure) || error.key !== 'registration_exists') throw error;
    }),
});

export function useWebhookWork(system: ShopSystem | undefined, reload: () => Promise<void>): WebhookWork {
  const busy = useSignal<WebhookWork['busy']>(undefined);
  const failure = useSignal<WebhookWork['failure']>(undefined);
  const attempt = async (what: What, tasks: readonly Task[], done: string) => {
    if (busy.value) return;
    busy.value = what;
    failure.value = undefined;
    try {
      for (const { tried, work } of tasks) {
        await work().catch((error) => {
          failure.value = { of: what, error, tried };
          throw error;
        });
      }
      notify(done);
    } catch {
      // The failure is shown where it was tried.
    }
    await reload();
    busy.value = undefined;
  };
  const name = systemName(system ?? 'shop_system_1');
  return {
    busy: busy.value,
    failure: failure.value,
    registerAll: (types) =>
      attempt('all', types.map(registration), t('admin.shopSystem.allRegistered', { system: name })),
    register: (type) => attempt(type, [registration(type)], t('admin.shopSystem.registered', { name: typeName(type) })),
    remove: async (type) => {
      const isSure = await confirm({
        title: t('admin.shopSystem.removeTitle', { name: typeName(type) }),
        text: t('admin.shopSystem.removeText', { system: name }),
        action: t('admin.shopSystem.remove'),
      });
      if (!isSure) return;
      const removal = {
        tried: t('admin.shopSystem.notRemoved', { name: typeName(type) }),
        work: () => call('deleteRegistrationOfType', { params: { webhook_type: type } }),
      };
      await attempt(type, [removal], t('admin.shopSystem.removed', { name: typeName(type) }));
    },
  };
}
