import type { Tier } from '@uprez/contracts/policy/plans';
import type { ApiKeyView } from '@uprez/contracts/schemas/api-keys';
import { Ellipsis, Pencil, RefreshCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import { EditKeyDialog } from './edit-key-dialog.tsx';
import { apiKeysMessages } from './messages.ts';
import { RotateKeyDialog } from './rotate-key-dialog.tsx';
import { useDeleteKey } from './use-change-key.ts';
import type { KeyCreation } from './use-key-creation.ts';

const text = apiKeysMessages.row;

type KeyActionsProps = { apiKey: ApiKeyView; tier: Tier; rotate: KeyCreation['rotate'] | undefined };

/** The menu of a key, with a dialog for each action. */
export function KeyActions({ apiKey, tier, rotate }: KeyActionsProps) {
  const [dialog, setDialog] = useState<'edit' | 'rotate' | 'remove'>();
  const close = () => setDialog(undefined);
  const mayRotate = rotate !== undefined && apiKey.replacedBy === null;
  return (
    <>
      <Menu
        label={text.actions(apiKey.name)}
        trigger={
          <Button look="ghost" size="icon" aria-label={text.actions(apiKey.name)}>
            <Ellipsis aria-hidden="true" strokeWidth={1.75} className="size-4" />
          </Button>
        }
        items={[
          { label: text.edit, icon: Pencil, onSelect: () => setDialog('edit') },
          ...(mayRotate ? [{ label: text.rotate, icon: RefreshCw, onSelect: () => setDialog('rotate') }] : []),
          { label: text.remove, icon: Trash2, danger: true, onSelect: () => setDialog('remove') },
        ]}
      />
      {dialog === 'edit' && <EditKeyDialog apiKey={apiKey} tier={tier} onClose={close} />}
      {dialog === 'rotate' && rotate && <RotateKeyDialog apiKey={apiKey} rotate={rotate} onClose={close} />}
      <DeleteDialog apiKey={apiKey} isOpen={dialog === 'remove'} onClose={close} />
    </>
  );
}

type DeleteDialogProps = { apiKey: ApiKeyView; isOpen: boolean; onClose: () => void };

function DeleteDialog({ apiKey, isOpen, onClose }: DeleteDialogProps) {
  const remove = useDeleteKey(apiKey);
  const { title, text: consequence, confirm } = apiKeysMessages.remove;
  return (
    <ConfirmDialog
      open={isOpen}
      onOpenChange={onClose}
      title={title(apiKey.name)}
      text={consequence(apiKey.keyPreview)}
      confirm={confirm}
      typed={apiKey.name}
      pending={remove.isPending}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onClose })}
    />
  );
}
