import type { BoughtPack } from '@uprez/contracts/schemas/billing/billing';
import { formatDay } from '@uprez/contracts/texts/format';
import { usePacks } from '../../../lib/billing/use-packs.ts';
import { PackList } from '../../../ui/plans/pack-list.tsx';
import { packMessages as text } from '../../../ui/plans/pack-messages.ts';
import { BillingSection } from '../billing-section.tsx';

function BoughtPacks({ packs }: { packs: readonly BoughtPack[] }) {
  return (
    <div className="grid gap-2">
      <h3 className="text-base">{text.bought}</h3>
      <ul aria-label={text.bought} className="divide-y divide-line border-line border-y text-sm">
        {packs.map((pack) => (
          <li key={pack.boughtAt} className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 py-3">
            <span className="grid min-w-0">
              <span className="font-medium tabular-nums">{text.name(pack)}</span>
              <span className="text-muted">{text.boughtOn(formatDay(pack.boughtAt))}</span>
            </span>
            <span className="text-muted tabular-nums">{text.left(pack)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The packs on sale, and those of the account. Nothing if there are none of both. */
export function PacksSection({ bought }: { bought: readonly BoughtPack[] }) {
  const { data: packs = [] } = usePacks();
  if (packs.length === 0 && bought.length === 0) return null;
  return (
    <BillingSection title={text.title}>
      {packs.length > 0 && (
        <>
          <p className="text-muted text-sm">{text.lead}</p>
          <PackList packs={packs} isSignedIn />
        </>
      )}
      {bought.length > 0 && <BoughtPacks packs={bought} />}
    </BillingSection>
  );
}
