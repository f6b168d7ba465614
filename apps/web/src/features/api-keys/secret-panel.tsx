import { formatTime } from '../../lib/format/format.ts';
import { SecretDialog } from '../../ui/overlays/secret-dialog.tsx';
import { CurlSnippet } from './curl-snippet.tsx';
import { apiKeysMessages } from './messages.ts';
import { type KeyCreation, type NewKey, useApiKeys } from './use-api-keys.ts';

const text = apiKeysMessages.panel;

function Former({ former }: { former: NonNullable<NewKey['former']> }) {
  const row = useApiKeys().data?.find(({ id }) => id === former.id);
  if (!row?.expiresAt) return null;
  const { keyPreview, isExpired, expiresAt } = row;
  return (
    <p className="text-sm">
      {isExpired ? text.formerEnded(keyPreview) : text.former(keyPreview, formatTime(expiresAt))}
    </p>
  );
}

/** Shows a new key once, until the user confirms to have saved it. */
export function SecretPanel({ creation: { created, create, rotate, clear } }: { creation: KeyCreation }) {
  return (
    <SecretDialog
      created={created && { name: created.key.name, secret: created.secret }}
      isPending={create.isPending || rotate.isPending}
      onDone={clear}
    >
      {created?.former && <Former former={created.former} />}
      {created && (
        <div className="grid min-w-0 gap-2">
          <CurlSnippet apiKey={created.key} secret={created.secret} />
        </div>
      )}
    </SecretDialog>
  );
}
