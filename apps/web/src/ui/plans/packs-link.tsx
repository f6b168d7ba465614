import { addsToQuota, type Meter } from '@uprez/contracts/policy/plans/meters';
import type { PackCard } from '@uprez/contracts/schemas/plan-card';
import { packsPage } from '@uprez/contracts/texts/site/pages';
import { Link } from 'react-router';
import { usePacks } from '../../lib/billing/use-packs.ts';

const text = 'Buy a pack';

/** Whether one of the packs adds to this meter. */
export const hasPackForMeter = (packs: readonly Pick<PackCard, 'meter'>[], meter: Meter): boolean =>
  packs.some((pack) => addsToQuota(pack.meter, meter));

/** Links to the packs, if one of them adds to this meter. */
export function PacksLink({ meter, className }: { meter: Meter; className: string }) {
  const { data = [] } = usePacks();
  return (
    hasPackForMeter(data, meter) && (
      <Link to={packsPage} className={className}>
        {text}
      </Link>
    )
  );
}
