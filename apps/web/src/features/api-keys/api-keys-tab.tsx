import { may } from '@uprez/contracts/policy/may';
import type { Tier } from '@uprez/contracts/policy/plans';
import type { ApiKeyView } from '@uprez/contracts/schemas/api-keys';
import type { User } from '@uprez/contracts/schemas/user';
import { useFocusFallback } from '../../lib/layout/use-focus-fallback.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { QueryView } from '../../ui/feedback/query-view.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { KeyRow } from './key-row.tsx';
import { apiKeysMessages as text } from './messages.ts';
import { NewKeyForm } from './new-key-form.tsx';
import { SecretPanel, useLeaveGuard } from './secret-panel.tsx';
import { UpgradeCard } from './upgrade-card.tsx';
import { type KeyCreation, useApiKeys, useKeyCreation } from './use-api-keys.ts';

type KeyListProps = {
  keys: readonly ApiKeyView[];
  tier: Tier;
  /** Undefined on plans without API access. */
  rotate?: KeyCreation['rotate'];
};

function KeyList({ keys, tier, rotate }: KeyListProps) {
  return (
    <ul aria-label={text.list} className="divide-y divide-line">
      {keys.map((key) => (
        <KeyRow key={key.id} apiKey={key} tier={tier} rotate={rotate} />
      ))}
    </ul>
  );
}

function KeyListSkeleton() {
  return (
    <div className="divide-y divide-line">
      {[0, 1].map((row) => (
        <div key={row} className="grid gap-3 py-4">
          <Skeleton className="h-5 w-40" />
          <Skeleton className="h-4 w-56" />
          <Skeleton className="h-10 w-full" />
        </div>
      ))}
    </div>
  );
}

function Keys({ user, creation }: { user: User; creation: KeyCreation }) {
  const keys = useApiKeys();
  const list = useFocusFallback<HTMLDivElement>(`${keys.data?.length} ${creation.created?.key.id}`);
  const { subscriptionTier: tier } = user;
  return (
    <>
      <Card title={text.create.title}>
        <NewKeyForm user={user} create={creation.create} />
      </Card>
      <Card title={text.list}>
        <div ref={list} tabIndex={-1} className="outline-none">
          <QueryView query={keys} skeleton={<KeyListSkeleton />} empty={<EmptyState {...text.empty} />}>
            {(rows) => <KeyList keys={rows} tier={tier} rotate={creation.rotate} />}
          </QueryView>
        </div>
      </Card>
    </>
  );
}

/** Shown on plans without API access: an offer, and the keys of a former plan, which can still be deleted. */
function NoKeys({ user: { subscriptionTier: tier } }: { user: User }) {
  const { data: left = [] } = useApiKeys();
  return (
    <>
      <UpgradeCard />
      {left.length > 0 && (
        <Card title={text.list}>
          <Notice kind="warning">{text.upgrade.left}</Notice>
          <KeyList keys={left} tier={tier} />
        </Card>
      )}
    </>
  );
}

export function ApiKeysTab({ user }: { user: User }) {
  const creation = useKeyCreation();
  const { created, create, rotate, clear } = creation;
  const blocker = useLeaveGuard(created !== undefined || create.isPending || rotate.isPending);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      {may(user.subscriptionTier, { what: 'api' }).ok ? (
        <Keys user={user} creation={creation} />
      ) : (
        <NoKeys user={user} />
      )}
      <SecretPanel created={created} blocker={blocker} onSaved={clear} />
    </div>
  );
}
