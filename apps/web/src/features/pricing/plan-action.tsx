import { routeUrl } from '@uprez/client/route-url';
import { tiersByMail } from '@uprez/contracts/policy/plans';
import type { PlanCard } from '@uprez/contracts/schemas/plan-card';
import type { User } from '@uprez/contracts/schemas/user';
import { Link } from 'react-router';
import { errorMessage } from '../../lib/api/api-errors.ts';
import { useSite } from '../../lib/api/queries.ts';
import { mailtoUrl } from '../../lib/browser/mailto-url.ts';
import { showToast } from '../../lib/notifications/toast-store.ts';
import { paths } from '../../site-map.ts';
import { Button, buttonStyle } from '../../ui/controls/button.tsx';
import { pricingMessages as text } from '../../ui/plans/messages.ts';

const wide = { size: 'wide', look: 'secondary' } as const;

function MailAction({ name }: Pick<PlanCard, 'name'>) {
  const { data, isFetching, refetch } = useSite();
  if (data)
    return (
      <a href={mailtoUrl(data.contactEmail, text.draft(name))} className={buttonStyle(wide)}>
        {text.byMail}
      </a>
    );
  const open = async () => {
    const { data: site, error } = await refetch();
    if (site) window.location.assign(mailtoUrl(site.contactEmail, text.draft(name)));
    else
      showToast({ title: text.addressFailed, ...(error && { description: errorMessage(error) }), destructive: true });
  };
  return (
    <Button {...wide} pending={isFetching} onClick={() => void open()}>
      {text.byMail}
    </Button>
  );
}

/** The button of a plan for visitors: sign in, then return to the plans. */
function VisitorAction({ card }: { card: PlanCard }) {
  if (card.price === 0)
    return (
      <Link to={paths.auth} className={buttonStyle({ size: 'wide' })}>
        {text.start}
      </Link>
    );
  return (
    <a href={routeUrl('loginPage', { query: { next: paths.pricing } })} className={buttonStyle(wide)}>
      {text.choose(card.name)}
    </a>
  );
}

export function PlanAction({ card, user }: { card: PlanCard; user: User | null }) {
  if (user?.subscriptionTier === card.key)
    return (
      <Button {...wide} disabled>
        {text.currentButton}
      </Button>
    );
  if (tiersByMail.includes(card.key)) return <MailAction name={card.name} />;
  if (!user) return <VisitorAction card={card} />;
  if (card.price === 0)
    return (
      <Button {...wide} disabled>
        {text.base}
      </Button>
    );
  return (
    <Button {...wide} onClick={() => showToast({ ...text.unavailable, destructive: true })}>
      {text.choose(card.name)}
    </Button>
  );
}
