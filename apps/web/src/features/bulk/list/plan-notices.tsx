import { may } from '@uprez/contracts/policy/may';
import type { Plan } from '@uprez/contracts/policy/plan-versions';
import { currentPlans } from '@uprez/contracts/policy/plans';
import { Link } from 'react-router';
import { paths } from '../../../site-map.ts';
import { buttonStyle } from '../../../ui/controls/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { PacksLink } from '../../../ui/plans/packs-link.tsx';
import { bulkMessages as text } from '../messages.ts';
import type { Shortage } from '../state/bulk-store.ts';

const linkStyle = buttonStyle({ look: 'secondary', size: 'small' });

const PlansLink = () => (
  <Link to={paths.pricing} className={linkStyle}>
    {text.seePlans}
  </Link>
);

type UpgradeCardProps = {
  ownPlan: Plan;
  /** Number of files to run. */
  files: number;
  /** Number of files beyond the batch size. */
  locked: number;
  /** Number of these that the quota covers. */
  later: number;
};

/** Shown when there are more files than the plan allows in a batch. */
export function UpgradeCard({ ownPlan, files, locked, later }: UpgradeCardProps) {
  const permission = may(ownPlan, { what: 'bulk', files });
  if (permission.ok) return null;
  const opener = permission.unlockedBy && currentPlans[permission.unlockedBy];
  return (
    <section className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1.5 rounded-card border border-accent bg-surface p-3 sm:p-4">
      <div className="grid min-w-0 flex-1 basis-72 gap-0.5">
        <h3 className="text-sm">{text.upgradeTitle(Number(permission.limit))}</h3>
        <p className="text-muted text-xs sm:text-sm">
          {text.upgradeText(locked, later)}
          {opener && ` ${text.upgradeOffer({ ...opener, files: opener.bulkFiles })}`}
        </p>
      </div>
      <PlansLink />
    </section>
  );
}

/** Shown when the credits are not enough for all images. `held`: number of images that cannot run. */
export function ShortageNotice({ shortage, held }: { shortage: Shortage; held: number }) {
  const { meter, needs, have, resetsAt } = shortage;
  return (
    <Notice kind="warning">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1.5">
        <div className="grid gap-0.5">
          <p className="font-medium tabular-nums">{text.shortage(needs, have, meter)}</p>
          <p className="text-muted max-sm:text-xs">
            {have > 0 ? text.waitOrUpgrade(held, resetsAt) : text.waitOrUpgradeAll(resetsAt)}
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          <PlansLink />
          <PacksLink meter={meter} className={linkStyle} />
        </div>
      </div>
    </Notice>
  );
}
