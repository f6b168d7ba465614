import { may } from '@uprez/contracts/policy/may';
import type { User } from '@uprez/contracts/schemas/user';
import { ApiKeysTab } from '../features/api-keys/api-keys-tab.tsx';
import { ImageUrlsCard } from '../features/image-urls/image-urls-card.tsx';
import { EventFeedCard } from '../features/webhooks/event-feed-card.tsx';
import { WebhooksCard } from '../features/webhooks/webhooks-card.tsx';
import { planOfUser } from '../lib/session/plan-of-user.ts';

export function DashboardApi({ user }: { user: User }) {
  const hasApi = may(planOfUser(user), { what: 'api' }).ok;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <ApiKeysTab user={user} />
      {hasApi && <ImageUrlsCard />}
      <WebhooksCard user={user} />
      {hasApi && <EventFeedCard />}
    </div>
  );
}
