import { automationOf, automationTarget } from '#domain/automations/action-name.ts';
import { automationIn } from '#domain/automations/automation-store.ts';

/** What a target of an automation is now: its address and who signs. Undefined where it no longer takes deliveries. */
export async function automationEndpoint(slug: string, target: string) {
  const automation = await automationIn(slug, automationOf(target));
  if (automation?.status !== 'active') return undefined;
  for (const action of automation.actions) {
    if (action.type !== 'webhook' || automationTarget(automation.uuid, action.params.url) !== target) continue;
    return { ...automation, url: action.params.url, holder: 'automation' as const };
  }
  return undefined;
}
