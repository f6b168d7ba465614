import type { ApiKeyView } from '@uprez/contracts/schemas/api-keys';
import { formatCount } from '@uprez/contracts/texts/format';
import type { ReactNode } from 'react';
import { formatDate, formatTime } from '../../lib/format/format.ts';
import { Meter } from '../../ui/feedback/meter.tsx';
import { apiKeysMessages } from './messages.ts';

const text = apiKeysMessages.row;

function lastUse({ lastUsed, lastAddress }: ApiKeyView): string {
  if (!lastUsed) return text.never;
  return lastAddress ? text.usedFrom(formatTime(lastUsed), lastAddress) : formatTime(lastUsed);
}

/** Facts of all keys, then those of keys with limits. */
function factsOf(key: ApiKeyView): readonly (readonly [string, ReactNode])[] {
  const { scopeList } = apiKeysMessages.fields;
  return [
    [text.created, formatDate(key.createdAt)],
    [text.lastUsed, lastUse(key)],
    [text.calls, formatCount(key.usageCount)],
    [key.isExpired ? text.ended : text.ends, key.expiresAt ? formatTime(key.expiresAt) : text.noEnd],
    [text.scopes, key.scopes.map((scope) => scopeList[scope].label).join(', ')],
    ...(key.monthlyCap === null ? [[text.month, formatCount(key.unitsThisMonth)] as const] : []),
    ...(key.callsPerMinute === null ? [] : [[text.callsPerMinute, formatCount(key.callsPerMinute)] as const]),
    ...(key.addresses.length === 0 ? [] : [[text.addresses, key.addresses.join(', ')] as const]),
  ];
}

export function KeyFacts({ apiKey }: { apiKey: ApiKeyView }) {
  const { monthlyCap, unitsThisMonth } = apiKey;
  return (
    <>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-2 text-sm sm:grid-cols-[repeat(auto-fill,minmax(10rem,1fr))]">
        {factsOf(apiKey).map(([label, value]) => (
          <div key={label} className="min-w-0">
            <dt className="text-muted text-xs">{label}</dt>
            <dd className="tabular-nums wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
      {monthlyCap !== null && (
        <Meter
          label={text.month}
          value={unitsThisMonth}
          max={monthlyCap}
          valueText={text.ofCap(unitsThisMonth, monthlyCap)}
        />
      )}
    </>
  );
}
