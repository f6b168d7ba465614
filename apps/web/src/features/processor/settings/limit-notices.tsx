import { formatNames } from '@uprez/contracts/policy/images/image-formats';
import type { Plan } from '@uprez/contracts/policy/plans/plan-versions';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { recipeDefaults } from '@uprez/contracts/recipe/recipe-fields';
import type { Estimate } from '@uprez/contracts/schemas/jobs/estimate';
import type { User } from '@uprez/contracts/schemas/user';
import { formatDay } from '@uprez/contracts/texts/format';
import { computeTargetSize } from '@uprez/imaging/pipeline/compute-target-size';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useDashboard, useEngines } from '../../../lib/api/queries.ts';
import { makeSiteEngines, type SiteEngines } from '../../../lib/api/site-engines.ts';
import { formatSize, type Size } from '../../../lib/format/format.ts';
import { planOfUser } from '../../../lib/session/plan-of-user.ts';
import { paths } from '../../../site-map.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { PacksLink } from '../../../ui/plans/packs-link.tsx';
import { findExceededQuota } from '../../../ui/plans/quota-meter.tsx';
import { findUpgradeName } from '../../../ui/recipe/recipe-settings.ts';
import { processorMessages as text } from '../messages.ts';
import type { SourceImage } from '../state/image.ts';
import { isAccepted, type Settings, useSettings } from '../state/settings-store.ts';
import { scaleTarget, toTargetFields } from '../state/target-size.ts';

/** Returns the quota that the job would exceed. Undefined if the plan doesn't pause at the limit. */
export function useExceededQuota(estimate: Estimate | undefined, user: User | null) {
  const { data } = useDashboard({ enabled: user !== null });
  if (!data || !estimate || !user || !planOfUser(user).hardStop) return undefined;
  return findExceededQuota(data.quota, estimate);
}

type LimitNoticeProps = {
  children: ReactNode;
  actions: readonly Alternative[];
  hasPlan: boolean;
  /** Shown next to the link to the plans. */
  more?: ReactNode;
};

const linkStyle = 'inline-flex min-h-6 items-center text-xs underline underline-offset-4';

function LimitNotice({ children, actions, hasPlan, more }: LimitNoticeProps) {
  return (
    <Notice kind="warning">
      <p>{children}</p>
      <div className="mt-2 flex flex-wrap items-center gap-2 empty:hidden">
        {actions.map(({ label, change }) => (
          <Button key={label} look="secondary" size="small" onClick={() => useSettings.setState(change)}>
            {label}
          </Button>
        ))}
        {hasPlan && (
          <Link to={paths.pricing} className={linkStyle}>
            {text.seePlans}
          </Link>
        )}
        {more}
      </div>
    </Notice>
  );
}

type QuotaExceededProps = NonNullable<ReturnType<typeof findExceededQuota>>;

export function QuotaExceeded({ quota, standardLeft }: QuotaExceededProps) {
  const standard: Alternative = { label: text.useStandard, change: { engine: 'standard' } };
  return (
    <LimitNotice
      actions={standardLeft > 0 ? [standard] : []}
      hasPlan
      more={<PacksLink meter={quota.meter} className={linkStyle} />}
    >
      {text.usedUp(quota.meter, formatDay(quota.resetsAt))}
      {standardLeft > 0 && ` ${text.standardWorks(standardLeft)}`}
    </LimitNotice>
  );
}

type Limit = NonNullable<Estimate['limit']>;

/** Returns the name of the plan that allows the job. The planner doesn't name it for outputs that are too large. */
function findUnlockingPlan({ code, value, unlockedBy }: Limit, ownPlan: Plan): string | undefined {
  if (unlockedBy) return currentPlans[unlockedBy].name;
  return code === 'output_too_large' ? findUpgradeName(ownPlan, { what: 'output', pixels: Number(value) }) : undefined;
}

type PlanLimitNoticeProps = { limit: Limit; image: SourceImage; settings: Settings; ownPlan: Plan };

export function PlanLimitNotice({ limit, image, settings, ownPlan }: PlanLimitNoticeProps) {
  const { data } = useEngines();
  const sentence = limit.detail;
  const opener = findUnlockingPlan(limit, ownPlan);
  const engines = data && makeSiteEngines(data);
  return (
    <LimitNotice
      actions={findAlternatives({ image, settings, limit, ownPlan, engines })}
      hasPlan={opener !== undefined}
    >
      {sentence}
      {opener && !sentence.includes(opener) && ` ${text.opens(opener)}`}
    </LimitNotice>
  );
}

type Alternative = { label: string; change: Partial<Settings> };

type AlternativesInput = {
  image: SourceImage;
  settings: Settings;
  limit: NonNullable<Estimate['limit']>;
  ownPlan: Plan;
  engines: SiteEngines | undefined;
};

/** Returns an alternative with the largest size that `maxFactor` allows. Keeps the user's way of entering the size. */
function findSmallerSize({ target, size, maxFactor }: { target: Settings['target']; size: Size; maxFactor: number }) {
  if (!target) return maxFactor < 1 ? [] : [{ label: text.useFactor(maxFactor), change: { scaleFactor: maxFactor } }];
  const sizeOf = (of: typeof target) => computeTargetSize({ ...recipeDefaults, ...toTargetFields(of) }, size);
  const smaller = scaleTarget(target, maxFactor / sizeOf(target).factor);
  return [{ label: text.useSize(formatSize(sizeOf(smaller))), change: { target: smaller } }];
}

/** Offers PNG, because it allows the longest sides, needs the least memory, and stores alpha as data. */
const pngAlternative: Alternative = { label: text.useFormat(formatNames.png), change: { format: 'png' } };

const clampAlternative: Alternative = { label: text.useNormalEdges, change: { edges: 'clamp' } };

/** Returns the alternatives that keep the job within the limits. Each changes only one setting. */
export function findAlternatives({ image, settings, limit, ownPlan, engines }: AlternativesInput): Alternative[] {
  const { size } = image;
  if (!size) return [];
  const isConflict = limit.code === 'conflicting_params';
  const isAboutFormat = isConflict || limit.code === 'output_too_large';
  const all: Alternative[] = [
    ...(limit.maxFactor ? findSmallerSize({ target: settings.target, size, maxFactor: limit.maxFactor }) : []),
    ...(settings.engine === 'standard' ? [] : [{ label: text.useStandard, change: { engine: 'standard' as const } }]),
    ...(isAboutFormat && settings.format !== 'png' ? [pngAlternative] : []),
    ...(isConflict && settings.edges === 'wrap' ? [clampAlternative] : []),
  ];
  return all.filter(({ change }) => isAccepted({ ...settings, ...change }, { ...image, size }, { ownPlan, engines }));
}
