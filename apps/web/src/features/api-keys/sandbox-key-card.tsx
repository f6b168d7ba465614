import type { ApiKeyView } from '@uprez/contracts/schemas/api-keys';
import type { User } from '@uprez/contracts/schemas/user';
import { Link } from 'react-router';
import { describeError, hasErrorCode } from '../../lib/api/api-errors.ts';
import { paths } from '../../site-map.ts';
import { Button, buttonStyle } from '../../ui/controls/button.tsx';
import { FormError } from '../../ui/feedback/form-error.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { emptyDraft, toNewKeyBody } from './key-draft.tsx';
import { apiKeysMessages } from './messages.ts';
import { UnverifiedNotice } from './unverified-notice.tsx';
import type { KeyCreation } from './use-api-keys.ts';

const text = apiKeysMessages.sandbox;

/** Whether a key is the sandbox key that plans without API access include. */
export const isCurrentTestKey = ({ kind, isExpired, replacedBy }: ApiKeyView): boolean =>
  kind === 'test' && !isExpired && replacedBy === null;

export const makeTestKeyBody = () => toNewKeyBody({ ...emptyDraft, name: text.name, kind: 'test' }, Date.now());

type SandboxKeyCardProps = { user: User; create: KeyCreation['create']; hasKey: boolean };

export function SandboxKeyCard({ user, create, hasKey }: SandboxKeyCardProps) {
  const isUnverified = !user.emailVerified || hasErrorCode(create.error, 'email_unverified');
  return (
    <Card title={text.title}>
      <p className="max-w-2xl text-muted text-sm">{text.text}</p>
      {!hasKey && isUnverified && <UnverifiedNotice />}
      {create.error && !isUnverified && (
        <FormError form={{ failure: apiKeysMessages.create.failed, error: describeError(create.error) }} />
      )}
      <div className="flex flex-wrap items-center gap-2">
        {!hasKey && (
          <Button
            disabled={!user.emailVerified}
            pending={create.isPending}
            pendingText={text.pending}
            onClick={() => create.mutate(makeTestKeyBody())}
          >
            {text.submit}
          </Button>
        )}
        <Link to={paths.reference} className={buttonStyle({ look: hasKey ? 'secondary' : 'ghost' })}>
          {text.explorer}
        </Link>
        <Link to={paths.documentation} className={buttonStyle({ look: 'ghost' })}>
          {apiKeysMessages.documentation}
        </Link>
      </div>
    </Card>
  );
}
