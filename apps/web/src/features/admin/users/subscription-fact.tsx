import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { hasShownError, QueryError } from '../../../ui/feedback/query-error.tsx';
import { adminApi } from '../admin-api.ts';
import { adminMessages } from '../messages.ts';
import { describeNext } from '../payments/describe-subscription.ts';
import { paymentMessages } from '../payments/messages.ts';
import { userMessages } from './messages.ts';
import { userKeyOf } from './queries.ts';

const pageRows = 25;

/** The newest subscriptions of a user. */
export const useUserSubscriptions = (userId: string) =>
  useQuery({
    queryKey: userKeyOf(userId, 'subscriptions'),
    queryFn: async ({ signal }) =>
      (await adminApi.adminListSubscriptions({ query: { search: userId, limit: pageRows }, signal })).data,
    refetchOnMount: 'always',
  });

/** The subscription of a user that hasn't ended, with its state and what happens next. */
export function SubscriptionFact({ userId }: { userId: string }) {
  const query = useUserSubscriptions(userId);
  const { data } = query;
  if (hasShownError(query)) return <QueryError query={query} />;
  if (!data) return '...';
  const live = data.find(({ endedAt }) => endedAt === null);
  if (!live) return userMessages.overview.none;
  const { tier, interval, badge } = live;
  const parts = [
    paymentMessages.subscriptions.planName(tier, interval),
    adminMessages.table.statuses[badge],
    describeNext(live),
  ];
  return (
    <Link to="?tab=payments" className="underline decoration-line underline-offset-4 hover:decoration-current">
      {parts.filter(Boolean).join('. ')}
    </Link>
  );
}
