import { adminPages } from '@uprez/contracts/texts/admin-pages';
import { Link } from 'react-router';
import { linkStyle } from '../../../ui/controls/button.tsx';
import { useMay } from '../frame/use-may.ts';
import { useSubscriberCount } from '../newsletter/queries.ts';
import { statusMessages } from './messages.ts';

/** How many people get status notifications, and the list of them, for roles that may read it. */
export function SubscribersLink() {
  const mayRead = useMay('content.read');
  const { data: count } = useSubscriberCount('status', mayRead);
  if (!mayRead || count === undefined) return null;
  return (
    <Link
      to={`${adminPages.subscribers}?${new URLSearchParams({ state: 'confirmed', topic: 'status' })}`}
      className={`${linkStyle} justify-self-start px-0!`}
    >
      {statusMessages.incidents.subscribers(count)}
    </Link>
  );
}
