import type { Tier } from '@uprez/contracts/policy/plans';
import type { ApiKeyView } from '@uprez/contracts/schemas/api-keys';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { KeyRow } from './key-row.tsx';
import { apiKeysMessages } from './messages.ts';
import type { KeyCreation } from './use-key-creation.ts';

type KeyListProps = {
  keys: readonly ApiKeyView[];
  tier: Tier;
  /** Undefined on plans without API access. */
  rotate?: KeyCreation['rotate'];
};

/** The API keys of the account, newest first. */
export function KeyList({ keys, tier, rotate }: KeyListProps) {
  return (
    <ul aria-label={apiKeysMessages.list} className="divide-y divide-line">
      {keys.map((key) => (
        <KeyRow key={key.id} apiKey={key} tier={tier} rotate={rotate} />
      ))}
    </ul>
  );
}

export function KeyListSkeleton() {
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
