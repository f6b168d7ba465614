import { routeUrl } from '@uprez/client/route-url';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { countImages, type Meter } from '@uprez/contracts/policy/plans/meters';
import type { PackCard } from '@uprez/contracts/schemas/plan-card';
import { formatCount, formatPrice } from '@uprez/contracts/texts/format';
import { packsAnchor } from '@uprez/contracts/texts/site/pages';
import { api } from '../../lib/api/api.ts';
import { useResourceMutation } from '../../lib/api/use-resource-mutation.ts';
import { showCheckoutError } from '../../lib/billing/show-checkout-error.ts';
import { packsKey } from '../../lib/billing/use-packs.ts';
import { paths } from '../../site-map.ts';
import { Button, buttonStyle } from '../controls/button.tsx';

function BuyPack({ pack, isChosen }: { pack: PackCard; isChosen: boolean }) {
  const open = useResourceMutation({
    call: async () => (await api.buyPack({ body: { pack: pack.key } })).data,
    onSuccess: ({ url }) => window.location.assign(url),
    onError: showCheckoutError,
    // Refetches the packs, because this one may no longer be available.
    invalidates: [packsKey],
  });
  return (
    <Button
      look="secondary"
      aria-label={packMessages.buyOf(pack)}
      autoFocus={isChosen}
      pending={open.isPending}
      onClick={() => open.mutate()}
    >
      {packMessages.buy}
    </Button>
  );
}

/** Name of the query parameter with the key of the pack that a visitor chose. */
export const packParam = 'pack';

const packPath = (pack: string) => `${paths.pricing}?${new URLSearchParams({ [packParam]: pack })}#${packsAnchor}`;

function SignInToBuy({ pack }: { pack: PackCard }) {
  return (
    <a
      href={routeUrl(apiRoutes.loginPage, { query: { next: packPath(pack.key) } })}
      aria-label={packMessages.buyOf(pack)}
      className={buttonStyle({ look: 'secondary' })}
    >
      {packMessages.buy}
    </a>
  );
}

type PackListProps = { packs: readonly PackCard[]; isSignedIn: boolean; chosen?: string | null };

/** `chosen`: the key of the pack with the button to focus. */
export function PackList({ packs, isSignedIn, chosen }: PackListProps) {
  return (
    <ul aria-label={packMessages.list} className="self-start divide-y divide-line border-line border-y">
      {packs.map((pack) => (
        <li key={pack.key} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
          <div className="min-w-0">
            <p className="font-medium text-sm tabular-nums">{packMessages.name(pack)}</p>
            <p className="text-muted text-sm tabular-nums">{formatPrice(pack.price)}</p>
          </div>
          {isSignedIn ? <BuyPack pack={pack} isChosen={pack.key === chosen} /> : <SignInToBuy pack={pack} />}
        </li>
      ))}
    </ul>
  );
}

type Units = { units: number; meter: Meter };
const nameOf = ({ units, meter }: Units): string => countImages(units, meter);

export const packMessages = {
  title: 'Packs',
  lead: "Extra images for your quota. They never expire, and are used after your plan's quota.",
  list: 'Packs on sale',
  name: nameOf,
  buy: 'Buy pack',
  buyOf: (pack: Units) => `Buy pack: ${nameOf(pack)}`,
  bought: 'Your packs',
  boughtOn: (date: string) => `Bought on ${date}`,
  left: ({ left, units, reversed }: { left: number; units: number; reversed: number }) =>
    `${formatCount(left)} of ${formatCount(units)} left${reversed > 0 ? `, ${formatCount(reversed)} removed after a refund` : ''}`,
} as const;
