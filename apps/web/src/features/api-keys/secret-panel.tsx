import { v1Routes } from '@uprez/contracts/endpoints/routes-v1';
import type { ApiKeyView } from '@uprez/contracts/schemas/api-keys';
import { formatDateTime } from '../../lib/format/format.ts';
import { CopyBlock } from '../../ui/code/copy-block.tsx';
import { makeFirstRequest } from '../../ui/code/first-request.ts';
import { toPlainText } from '../../ui/code/lines.ts';
import { SecretDialog } from '../../ui/overlays/secret-dialog.tsx';
import { apiKeysMessages } from './messages.ts';
import { type KeyCreation, type NewKey, useApiKeys } from './use-api-keys.ts';

const sampleText = apiKeysMessages.sample;

type CurlSnippetProps = { apiKey: ApiKeyView; secret?: string };

/**
 * Shows a curl request that tests a key. The request processes an image, or reads the account if the key lacks the
 * `process` scope.
 */
export function CurlSnippet({ apiKey: { scopes, keyPreview }, secret }: CurlSnippetProps) {
  const { origin } = window.location;
  const key = secret ?? keyPreview;
  const makesImages = scopes.includes('process');
  const request = makesImages
    ? toPlainText(makeFirstRequest(origin, key))
    : `curl ${origin}${v1Routes.v1Account.path} \\\n  -H "Authorization: Bearer ${key}"`;
  return (
    <div className="grid min-w-0 gap-1.5">
      <p className="text-sm">{makesImages ? sampleText.image : sampleText.account}</p>
      <CopyBlock code={request} label={sampleText.copy} />
      {!makesImages && !scopes.includes('read') && <p className="text-muted text-xs">{sampleText.noRead}</p>}
      {secret === undefined && <p className="text-muted text-xs">{sampleText.preview(keyPreview)}</p>}
    </div>
  );
}

const text = apiKeysMessages.panel;

function FormerKeyNotice({ former }: { former: NonNullable<NewKey['former']> }) {
  const row = useApiKeys().data?.find(({ id }) => id === former.id);
  if (!row?.expiresAt) return null;
  const { keyPreview, isExpired, expiresAt } = row;
  return (
    <p className="text-sm">
      {isExpired ? text.formerEnded(keyPreview) : text.former(keyPreview, formatDateTime(expiresAt))}
    </p>
  );
}

/** Shows a new key once, until the user confirms having saved it. */
export function SecretPanel({ creation: { created, create, rotate, clear } }: { creation: KeyCreation }) {
  return (
    <SecretDialog
      created={created && { name: created.key.name, secret: created.secret }}
      isPending={create.isPending || rotate.isPending}
      onDone={clear}
    >
      {created?.former && <FormerKeyNotice former={created.former} />}
      {created && (
        <div className="grid min-w-0 gap-2">
          <CurlSnippet apiKey={created.key} secret={created.secret} />
        </div>
      )}
    </SecretDialog>
  );
}
