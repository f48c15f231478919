import type { AbTestFields } from '#domain/promotions/ab-test.ts';
import { faultsOfWindow, newWindow } from '#domain/promotions/calendar.ts';
import type { CampaignRecord } from '#domain/promotions/campaign.ts';
import { invalid, ServiceError, valueError } from '#platform/errors.ts';
import type { FieldError } from '#schemas/catalogues/errors.ts';
import type { AbTestCreate } from '#schemas/families/ab-tests.ts';

export function newAbTest(body: AbTestCreate, now: Date): AbTestFields {
  const { name, segment, campaign_type, has_holdout, holdout_percentage = null } = body;
  const test = {
    name,
    segment,
    campaign_type,
    campaigns: body.campaigns.map(({ campaign_id, allocation }) => ({
      campaign_id: campaign_id.toLowerCase(),
      allocation,
    })),
    has_holdout,
    holdout_percentage,
    ...newWindow(body, now),
    ended_at: null,
    counted: true as const,
  };
  const faults = faultsOf(test);
  if (faults.length > 0) throw invalid(...faults);
  return test;
}

function faultsOf(test: AbTestFields): FieldError[] {
  const { campaigns, has_holdout, holdout_percentage } = test;
  const faults: FieldError[] = [];
  const add = (path: (string | number)[], msg: string) => faults.push(valueError(['body', ...path], msg));
  const ids = campaigns.map(({ campaign_id }) => campaign_id);
  ids.forEach((id, i) => {
    if (ids.indexOf(id) < i) add(['campaigns', i, 'campaign_id'], 'must appear only once in the test');
  });
  const holdout = holdout_percentage ?? 0;
  if (!has_holdout && holdout > 0) add(['holdout_percentage'], 'must be 0 or null if has_holdout is false');
  const sum = campaigns.reduce((total, { allocation }) => total + allocation, holdout);
  if (sum !== 100) add(['campaigns'], `must have allocations that add up to 100 percent with the holdout, not ${sum}`);
  return [...faults, ...faultsOfWindow(test)];
}

/** The campaigns of the test, in the order of the test. Throws if one is missing or has another type. */
export function variantsOf(
  { campaigns, campaign_type }: AbTestFields,
  found: ReadonlyMap<string, CampaignRecord>,
): CampaignRecord[] {
  const variants = campaigns.flatMap(({ campaign_id }) => found.get(campaign_id) ?? []);
  if (variants.length < campaigns.length) throw new ServiceError('campaign_not_found');
  const errors = variants.flatMap(({ promotion_type }, i) =>
    promotion_type === campaign_type ? [] : [wrongType(i, promotion_type)],
  );
  if (errors.length > 0) throw new ServiceError('campaign_type_invalid', { errors });
  return variants;
}

const wrongType = (position: number, type: string): FieldError =>
  valueError(['body', 'campaigns', position, 'campaign_id'], `must not be a campaign of the type ${type}`);
