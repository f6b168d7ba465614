import { formatDay } from '@uprez/contracts/texts/format';
import { Link } from 'react-router';
import { paths } from '../../../site-map.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import type { findExceededQuota } from '../../../ui/plans/quota-text.ts';
import { processorMessages as text } from '../messages.ts';

type QuotaExceededProps = { wall: NonNullable<ReturnType<typeof findExceededQuota>>; onStandard: () => void };

/** Shown when the quota is used up, with the standard engine and larger plans as alternatives. */
export function QuotaExceeded({ wall: { quota, standardLeft }, onStandard }: QuotaExceededProps) {
  return (
    <Notice kind="warning">
      <p>
        {text.usedUp(quota.meter, formatDay(quota.resetsAt))}
        {standardLeft > 0 && ` ${text.standardWorks(standardLeft)}`}
      </p>
      <div className="mt-2 flex flex-wrap items-center gap-2">
        {standardLeft > 0 && (
          <Button look="secondary" size="small" onClick={onStandard}>
            {text.useStandard}
          </Button>
        )}
        <Link to={paths.pricing} className="inline-flex min-h-6 items-center text-xs underline underline-offset-4">
          {text.seePlans}
        </Link>
      </div>
    </Notice>
  );
}
