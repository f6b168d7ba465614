import { may } from '@uprez/contracts/policy/may';
import { plans } from '@uprez/contracts/policy/plans';
import type { User } from '@uprez/contracts/schemas/user';
import { useState } from 'react';
import { Link } from 'react-router';
import { paths } from '../../site-map.ts';
import { CopySecret } from '../../ui/code/copy-block.tsx';
import { Button } from '../../ui/controls/button.tsx';

import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { QueryView } from '../../ui/feedback/query-view.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { webhookMessages as text } from './messages.ts';
import { useWebhookSecret, useWebhooks } from './use-webhooks.ts';
import { WebhookDialog } from './webhook-dialog.tsx';
import { WebhookRow } from './webhook-row.tsx';

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
      {secret !== undefined && (
        <Dialog open onOpenChange={() => {}} title={text.secret.title} description={text.secret.text} wide locked>
          <CopySecret code={secret} label={text.secret.copy} />
          <Button className="sm:justify-self-end" onClick={clear}>
            {text.secret.done}
          </Button>
        </Dialog>
      )}
    </>
  );
}

export function WebhooksCard({ user }: { user: User }) {
  const live = may(user.subscriptionTier, { what: 'webhooks', sandbox: false });
  const sandbox = may(user.subscriptionTier, { what: 'webhooks', sandbox: true });
  return (
    <Card title={text.title}>
      {!live.ok && live.unlockedBy && (
        <p className="text-sm">
          {text.locked(plans[live.unlockedBy].name)}{' '}
          <Link to={paths.pricing} className="underline underline-offset-4">
            {text.plans}
          </Link>
        </p>
      )}
      {sandbox.ok && <Webhooks sandboxOnly={!live.ok} />}
    </Card>
  );
}
