import { plans } from '@uprez/contracts/policy/plans';
import type { Dashboard } from '@uprez/contracts/schemas/dashboard';
import { Link } from 'react-router';
import { usePlans } from '../../lib/api/queries.ts';
import { paths } from '../../site-map.ts';
import { Meter } from '../feedback/meter.tsx';
import { quotaMessages as text } from './quota-messages.ts';
import { largerPlan, type Quota, quotaNotes, quotaText, quotaTotal } from './quota-text.ts';

function UpgradeOffer({ quota }: { quota: Quota }) {
  const larger = largerPlan(usePlans().data ?? [], quota);
  return (
    <p className="text-sm">
      {larger && `${larger} `}
      <Link to={paths.pricing} className="underline underline-offset-4">
        {text.plans}
      </Link>
    </p>
  );
}

/** Meter of a quota with notes, and an offer of a larger plan when it is used up. */
export function QuotaMeter({ quota, dashboard }: { quota: Quota; dashboard: Dashboard }) {
  const { hardStop } = plans[dashboard.subscriptionTier];
  return (
    <div className="grid gap-1.5">
      <Meter label={text.meters[quota.meter]} value={quota.used} max={quotaTotal(quota)} valueText={quotaText(quota)} />
      <p className="text-muted text-xs tabular-nums">{quotaNotes(quota, { ...dashboard, hardStop }).join(' ')}</p>
      {quota.left === 0 && hardStop && <UpgradeOffer quota={quota} />}
    </div>
  );
}
