import { may } from '@uprez/contracts/policy/may';
import { plans } from '@uprez/contracts/policy/plans';
import type { User } from '@uprez/contracts/schemas/user';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { paths } from '../../site-map.ts';
import { Button } from '../../ui/controls/button.tsx';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { QueryView } from '../../ui/feedback/query-view.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { webhookMessages as text, webhookMessages } from './messages.ts';
import { useWebhookSecret } from './use-webhook-secret.ts';
import { useWebhooks } from './use-webhooks.ts';
import { WebhookDialog } from './webhook-dialog.tsx';
import { WebhookRow } from './webhook-row.tsx';

const secretText = webhookMessages.secret;

function SecretDialog({ secret, onSaved }: { secret: string | undefined; onSaved: () => void }) {
  const code = useRef<HTMLElement>(null);
  if (secret === undefined) return null;
  return (
    <Dialog open onOpenChange={() => {}} title={secretText.title} description={secretText.text} wide locked>
      <div className="flex items-center gap-2 rounded-control border border-edge bg-page py-1 pr-1 pl-3">
        <code ref={code} className="min-w-0 flex-1 text-sm select-all wrap-anywhere">
          {secret}
        </code>
        <CopyButton text={secret} label={secretText.copy} source={code} look="secondary" />
      </div>
      <Button className="sm:justify-self-end" onClick={onSaved}>
        {secretText.done}
      </Button>
    </Dialog>
  );
}

function Locked({ unlockedBy }: { unlockedBy: keyof typeof plans }) {
  return (
    <p className="text-sm">
      {text.locked(plans[unlockedBy].name)}{' '}
      <Link to={paths.pricing} className="underline underline-offset-4">
        {text.plans}
      </Link>
    </p>
  );
}

/** `sandboxOnly`: the plan allows only sandbox endpoints. */
function Webhooks({ sandboxOnly }: { sandboxOnly: boolean }) {
  const query = useWebhooks();
  const { secret, create, rotate, clear } = useWebhookSecret();
  const [isAdding, setIsAdding] = useState(false);
  const add = <Button onClick={() => setIsAdding(true)}>{text.add}</Button>;
  return (
    <>
      <p className="text-muted text-sm">{text.intro}</p>
      <QueryView
        query={query}
        skeleton={<Skeleton className="h-24" />}
        isEmpty={(rows) => rows.length === 0}
        empty={<EmptyState {...text.empty} action={add} />}
      >
        {(rows) => (
          <>
            <div>{add}</div>
            <ul aria-label={text.title} className="divide-y divide-line">
              {rows.map((webhook) => (
                <WebhookRow key={webhook.id} webhook={webhook} rotate={rotate} />
              ))}
            </ul>
          </>
        )}
      </QueryView>
      {isAdding && (
        <WebhookDialog sandboxOnly={sandboxOnly} save={create.mutateAsync} onClose={() => setIsAdding(false)} />
      )}
      <SecretDialog secret={secret} onSaved={clear} />
    </>
  );
}

/** The webhook endpoints of the account. */
export function WebhooksCard({ user }: { user: User }) {
  const live = may(user.subscriptionTier, { what: 'webhooks', sandbox: false });
  const sandbox = may(user.subscriptionTier, { what: 'webhooks', sandbox: true });
  return (
    <Card title={text.title}>
      {!live.ok && live.unlockedBy && <Locked unlockedBy={live.unlockedBy} />}
      {sandbox.ok && <Webhooks sandboxOnly={!live.ok} />}
    </Card>
  );
}
