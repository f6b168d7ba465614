import { limits } from '@uprez/contracts/policy/limits';
import type { ApiKeyView } from '@uprez/contracts/schemas/api-keys';
import { hasErrorCode } from '../../lib/api/api-errors.ts';
import { RotationDialog } from '../../ui/overlays/rotation-dialog.tsx';
import { apiKeysMessages } from './messages.ts';
import { UnverifiedNotice } from './unverified-notice.tsx';
import type { KeyCreation } from './use-key-creation.ts';

const text = apiKeysMessages.rotate;
const overlap = { default: limits.apiKeyOverlapHours, max: limits.apiKeyMaxOverlapHours };

type RotateKeyDialogProps = { apiKey: ApiKeyView; rotate: KeyCreation['rotate']; onClose: () => void };

/** Replaces a key with a new one. */
export function RotateKeyDialog({ apiKey, rotate, onClose }: RotateKeyDialogProps) {
  // All rows share the mutation; its error may be that of another key.
  const error = rotate.variables?.former.id === apiKey.id ? rotate.error : null;
  return (
    <RotationDialog
      title={text.title(apiKey.name)}
      text={text}
      overlap={overlap}
      rotate={(overlapHours) => rotate.mutateAsync({ former: apiKey, overlapHours })}
      onClose={onClose}
      notice={hasErrorCode(error, 'email_unverified') ? <UnverifiedNotice /> : undefined}
    />
  );
}
