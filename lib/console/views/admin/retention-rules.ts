import { retentionLimits as limits } from '#schemas/catalogues/limits.ts';
import type { Retention } from '#schemas/families/privacy.ts';

type Name = keyof Retention;

/** Undefined if the text is no number of days. */
export const daysIn = (text: string): number | undefined => (/^\d+$/.test(text.trim()) ? Number(text) : undefined);

const shortestDays: Record<Name, number> = {
  orders_days: limits.minimumDays,
  claim_images_days: limits.minimumDays,
  deliveries_days: 1,
};

/** The limits that would take more away than the stored ones, with their days. What the service refuses is not among them. */
export function shortened(
  changes: Partial<Record<Name, string>>,
  stored: Record<Name, string>,
): [name: Name, days: number][] {
  return (Object.entries(changes) as [Name, string][]).flatMap(([name, text]) => {
    const days = daysIn(text);
    const before = daysIn(stored[name]) ?? Number.POSITIVE_INFINITY;
    return days !== undefined && days >= shortestDays[name] && days < before ? [[name, days] as [Name, number]] : [];
  });
}
