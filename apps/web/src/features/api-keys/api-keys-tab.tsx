import { may } from '@uprez/contracts/policy/may';
import type { User } from '@uprez/contracts/schemas/user';
import { useFocusFallback } from '../../lib/layout/use-focus-fallback.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { QueryView } from '../../ui/feedback/query-view.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { KeyList, KeyListSkeleton } from './key-list.tsx';
import { apiKeysMessages } from './messages.ts';
import { NewKeyForm } from './new-key-form.tsx';
import { SecretPanel } from './secret-panel.tsx';
import { UpgradeCard } from './upgrade-card.tsx';
import { useApiKeys } from './use-api-keys.ts';
import { type KeyCreation, useKeyCreation } from './use-key-creation.ts';
import { useLeaveGuard } from './use-leave-guard.ts';

const text = apiKeysMessages;

/** Shown on plans with API access. */
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
          <QueryView
            query={keys}
            skeleton={<KeyListSkeleton />}
            isEmpty={(rows) => rows.length === 0}
            empty={<EmptyState {...text.empty} />}
          >
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

/** The tab of API keys. A new key stays open until the user has saved it. */
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
