import { limits } from '@uprez/contracts/policy/limits';
import { RotationDialog } from '../../ui/overlays/rotation-dialog.tsx';
import { webhookMessages } from './messages.ts';
import type { SecretCreation } from './use-webhook-secret.ts';

const text = webhookMessages.rotation;
const overlap = { default: limits.webhookOverlapHours, max: limits.webhookMaxOverlapHours };

type RotateSecretDialogProps = { id: string; rotate: SecretCreation['rotate']; onClose: () => void };

/** Replaces the signing secret of an endpoint. */
export function RotateSecretDialog({ id, rotate, onClose }: RotateSecretDialogProps) {
  return (
    <RotationDialog
      title={text.title}
      text={text}
      overlap={overlap}
      rotate={(overlapHours) => rotate.mutateAsync({ id, overlapHours })}
      onClose={onClose}
    />
  );
}
