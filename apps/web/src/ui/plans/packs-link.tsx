import { type Meter, pays } from '@uprez/contracts/policy/meters';
import type { PackCard } from '@uprez/contracts/schemas/plan-card';
import { Link } from 'react-router';
import { packsPath, usePacks } from '../../lib/billing/use-packs.ts';

const text = 'Buy a pack';

/** Whether one of the packs adds to this meter. A shared quota covers images of all kinds, so every pack adds to it. */
export const hasPackFor = (packs: readonly Pick<PackCard, 'meter'>[], meter: Meter): boolean =>
  packs.some((pack) => meter === 'shared' || pays(pack.meter, meter));

/** Links to the packs, if one of them adds to this meter. */
export function PacksLink({ meter, className }: { meter: Meter; className: string }) {
  const { data = [] } = usePacks();
  return (
    hasPackFor(data, meter) && (
      <Link to={packsPath} className={className}>
        {text}
      </Link>
    )
  );
}
