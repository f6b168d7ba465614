import { countImages, coversJob } from '@uprez/contracts/policy/plans/meters';
import type { Dashboard } from '@uprez/contracts/schemas/dashboard';
import type { PlanCard } from '@uprez/contracts/schemas/plan-card';
import { formatCount, formatDay, formatPrice } from '@uprez/contracts/texts/format';
import { Link } from 'react-router';
import { usePlans } from '../../lib/api/queries.ts';
import { formatShortDay } from '../../lib/format/format.ts';
import { planOfUser } from '../../lib/session/plan-of-user.ts';
import { paths } from '../../site-map.ts';
import { Meter } from '../feedback/meter.tsx';
import { PacksLink } from './packs-link.tsx';

const text = {
  meters: { ai: 'AI images', standard: 'Standard images', shared: 'Images' },
  used: (used: string, total: string) => `${used} of ${total}`,
  resets: (date: string) => `Resets on ${date}.`,
  granted: (images: string) => `Includes ${images} added to your plan.`,
  forecast: (date: string) => `At this rate, you'll reach your limit around ${date}.`,
  stopped: (date: string) => `Processing is paused until ${date}.`,
  stoppedOne: (these: string, date: string, others: string) =>
    `${these} have run out. They reset on ${date}. ${others} are still available.`,
  beyond: (images: string) => `${images} over your quota. Processing continues.`,
  plans: 'View plans',
  larger: (name: string, images: string, price: number) =>
    `${name} includes ${images} per month for ${formatPrice(price)}.`,
} as const;

export type Quota = Dashboard['quota'][number];

export const quotaTotal = ({ included, granted }: Quota): number => included + granted;

export const quotaText = (quota: Quota): string => text.used(formatCount(quota.used), formatCount(quotaTotal(quota)));

/** `hardStop`: processing pauses when the quota is used up. */
type Outlook = Pick<Dashboard, 'quota' | 'forecast'> & { hardStop: boolean };

function stopText({ meter, resetsAt }: Quota, all: readonly Quota[]): string {
  const date = formatDay(resetsAt);
  const other = all.find((one) => one.meter !== meter && one.left > 0);
  return other ? text.stoppedOne(text.meters[meter], date, text.meters[other.meter]) : text.stopped(date);
}

/**
 * Returns the quota for a meter if too few units are left for an image, with the units left on another meter for the
 * standard engine. Returns undefined if enough units are left, or if the reset date has passed.
 */
export function findExceededQuota(
  all: readonly Quota[],
  { meter, units }: { meter: Quota['meter']; units: number },
  now = Date.now(),
) {
  const quota = all.find((one) => one.meter === meter);
  if (!quota || quota.left >= units || Date.parse(quota.resetsAt) <= now) return undefined;
  const other = all.find((one) => one.meter !== meter && coversJob(one.meter, 'standard'));
  return { quota, standardLeft: Math.max(0, other?.left ?? 0) };
}

export function listQuotaNotes(quota: Quota, { quota: all, forecast, hardStop }: Outlook): string[] {
  const { meter, included, granted, used, left, resetsAt } = quota;
  const beyond = used - quotaTotal(quota);
  const end = forecast.find((row) => row.meter === meter)?.endsAt;
  const isStopped = left === 0 && hardStop;
  // Packs don't reset, so a quota that consists only of packs has no reset date.
  const isAdded = included === 0 && granted > 0;
  return [
    ...(isStopped ? [stopText(quota, all)] : []),
    ...(isStopped || isAdded ? [] : [text.resets(formatDay(resetsAt))]),
    ...(granted > 0 ? [text.granted(countImages(granted, meter))] : []),
    ...(end ? [text.forecast(formatShortDay(end))] : []),
    ...(beyond > 0 ? [text.beyond(countImages(beyond, meter))] : []),
  ];
}

/** If the plan has a shared meter, returns the units for that one. */
const includedUnits = ({ included }: PlanCard['entitlements'], meter: Quota['meter']): number =>
  'shared' in included ? included.shared : meter === 'shared' ? 0 : included[meter];

/**
 * Describes the smallest plan that includes more units for a meter. Returns undefined if no plan does. `plans`:
 * smallest first.
 */
export function describeLargerPlan(plans: readonly PlanCard[], { meter, included }: Quota): string | undefined {
  const plan = plans.find(({ entitlements }) => includedUnits(entitlements, meter) > included);
  if (!plan) return undefined;
  const shown = 'shared' in plan.entitlements.included ? 'shared' : meter;
  return text.larger(plan.name, countImages(includedUnits(plan.entitlements, meter), shown), plan.price);
}

function UpgradeOffer({ quota }: { quota: Quota }) {
  const larger = describeLargerPlan(usePlans().data ?? [], quota);
  return (
    <p className="flex flex-wrap gap-x-3 text-sm">
      {larger && <span>{larger}</span>}
      <Link to={paths.pricing} className="underline underline-offset-4">
        {text.plans}
      </Link>
      <PacksLink meter={quota.meter} className="underline underline-offset-4" />
    </p>
  );
}

export function QuotaMeter({ quota, dashboard }: { quota: Quota; dashboard: Dashboard }) {
  const { hardStop } = planOfUser(dashboard);
  return (
    <div className="grid gap-1.5">
      <Meter label={text.meters[quota.meter]} value={quota.used} max={quotaTotal(quota)} valueText={quotaText(quota)} />
      <p className="text-muted text-xs tabular-nums">{listQuotaNotes(quota, { ...dashboard, hardStop }).join(' ')}</p>
      {quota.left === 0 && hardStop && <UpgradeOffer quota={quota} />}
    </div>
  );
}
