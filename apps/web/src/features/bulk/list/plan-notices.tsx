import { may } from '@uprez/contracts/policy/may';
import { plans, type Tier } from '@uprez/contracts/policy/plans';
import { Link } from 'react-router';
import { paths } from '../../../site-map.ts';
import { Button, buttonStyle } from '../../../ui/controls/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { bulkMessages as text } from '../messages.ts';
import type { Shortage } from '../state/bulk-store.ts';

const PlansLink = () => (
  <Link to={paths.pricing} className={buttonStyle({ look: 'secondary', size: 'small' })}>
    {text.seePlans}
  </Link>
);

/** Shown when there are more files than the plan allows in a batch. `files`: number of files to run. */
export function UpgradeCard({ tier, files, locked }: { tier: Tier; files: number; locked: number }) {
  const permission = may(tier, { what: 'bulk', files });
  if (permission.ok) return null;
  const opener = permission.unlockedBy && plans[permission.unlockedBy];
  return (
    <section className="flex flex-wrap items-center justify-between gap-3 rounded-card border border-accent bg-surface p-4">
      <div className="grid min-w-0 gap-0.5">
        <h3 className="text-sm">{text.upgradeTitle(Number(permission.limit))}</h3>
        <p className="text-muted text-sm">
          {text.upgradeText(locked)}
          {opener && ` ${text.upgradeOffer({ ...opener, files: opener.bulkFiles })}`}
        </p>
      </div>
      <PlansLink />
    </section>
  );
}

export function ShortageNotice({ shortage, onRunSome }: { shortage: Shortage; onRunSome: () => void }) {
  const { needs, have, resetsAt } = shortage;
  return (
    <Notice kind="warning">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="grid gap-0.5">
          <p className="font-medium tabular-nums">{text.shortage(needs, have)}</p>
          {resetsAt && <p className="text-muted">{text.resets(resetsAt)}</p>}
        </div>
        <div className="flex gap-2">
          {have > 0 && (
            <Button size="small" onClick={onRunSome}>
              {text.runSome(have)}
            </Button>
          )}
          <PlansLink />
        </div>
      </div>
    </Notice>
  );
}
