import type { Tier } from '@uprez/contracts/policy/plans';
import type { ApiKeyView } from '@uprez/contracts/schemas/api-keys';
import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useNow } from '../../lib/browser/use-now.ts';
import { Switch } from '../../ui/controls/switch.tsx';
import { Badge } from '../../ui/feedback/badge.tsx';
import { Disclosure } from '../../ui/layout/disclosure.tsx';
import { CurlSnippet } from './curl-snippet.tsx';
import { KeyActions } from './key-actions.tsx';
import { KeyFacts } from './key-facts.tsx';
import { isUnused, type KeyState, keyState } from './key-state.ts';
import { KeyUsage } from './key-usage.tsx';
import { apiKeysMessages } from './messages.ts';
import { useToggleKey } from './use-change-key.ts';
import type { KeyCreation } from './use-key-creation.ts';

const text = apiKeysMessages.row;
const badges = {
  active: 'success',
  inactive: 'neutral',
  expired: 'danger',
  replaced: 'warning',
} as const satisfies Record<KeyState, string>;
const minuteMs = 60_000;

type KeyRowProps = { apiKey: ApiKeyView; tier: Tier; rotate: KeyCreation['rotate'] | undefined };

function Heading({ apiKey }: { apiKey: ApiKeyView }) {
  const state = keyState(apiKey);
  return (
    <div className="min-w-0">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="min-w-0 font-medium text-sm tracking-normal wrap-anywhere">{apiKey.name}</h3>
        <Badge kind={badges[state]}>{apiKeysMessages.states[state]}</Badge>
        {apiKey.kind === 'test' && <Badge kind="neutral">{text.test}</Badge>}
      </div>
      <code className="text-muted text-xs wrap-anywhere">{apiKey.keyPreview}</code>
    </div>
  );
}

/** One API key of the list. */
export function KeyRow({ apiKey, tier, rotate }: KeyRowProps) {
  const [isOpen, setIsOpen] = useState(false);
  const toggle = useToggleKey(apiKey);
  const now = useNow(minuteMs);
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-3 py-4 first:pt-0 last:pb-0">
      <div className="flex items-start justify-between gap-3">
        <Heading apiKey={apiKey} />
        <div className="flex shrink-0 items-center gap-1">
          <Switch
            label={text.toggle(apiKey.name)}
            labelHidden
            checked={apiKey.isActive}
            disabled={apiKey.isExpired}
            onChange={(isActive) => toggle.mutate(isActive)}
          />
          <KeyActions apiKey={apiKey} tier={tier} rotate={rotate} />
        </div>
      </div>
      <KeyFacts apiKey={apiKey} />
      {isUnused(apiKey, now) && (
        <p className="flex items-center gap-1.5 text-sm">
          <TriangleAlert aria-hidden="true" strokeWidth={1.75} className="size-4 shrink-0 text-warning" />
          {text.unused}
        </p>
      )}
      <Disclosure label={text.usage} open={isOpen} onOpenChange={setIsOpen}>
        <div className="grid min-w-0 gap-4">
          <KeyUsage apiKey={apiKey} />
          <CurlSnippet apiKey={apiKey} />
        </div>
      </Disclosure>
    </li>
  );
}
