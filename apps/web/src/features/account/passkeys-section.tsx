import { useQuery } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { limits } from '@uprez/contracts/policy/limits';
import { proofBodySchema } from '@uprez/contracts/schemas/account';
import { type PasskeyView, passkeyNameSchema, renamePasskeyBodySchema } from '@uprez/contracts/schemas/passkeys';
import type { User } from '@uprez/contracts/schemas/user';
import { describeDevice } from '@uprez/contracts/texts/admin/describe-device';
import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../lib/api/api.ts';
import { useResourceMutation } from '../../lib/api/use-resource-mutation.ts';
import { formatTime } from '../../lib/format/format.ts';
import { useApiForm } from '../../lib/forms/use-api-form.ts';
import { useFocusFallback } from '../../lib/layout/use-focus-fallback.ts';
import { showToast } from '../../lib/notifications/toast-store.ts';
import { hasPasskeys } from '../../lib/session/has-passkeys.ts';
import { TextField } from '../../ui/controls/text-field.tsx';
import { ReauthAction } from '../../ui/forms/reauth-form.tsx';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { ActionsMenu } from '../../ui/overlays/menu.tsx';
import { AccountList, AccountListRow, AccountSection } from './account-section.tsx';
import { accountMessages } from './messages.ts';

const text = accountMessages.passkeys;
const passkeysKey = [apiRoutes.listPasskeys.path] as const;
const newPasskeySchema = proofBodySchema.extend({ name: passkeyNameSchema });

function RenameDialog({ passkey, onClose }: { passkey: PasskeyView; onClose: () => void }) {
  const rename = useResourceMutation({
    call: (body: { name: string }) => api.renamePasskey({ params: { id: passkey.id }, body }),
    onSuccess: onClose,
    invalidates: [passkeysKey],
  });
  const form = useApiForm({
    schema: renamePasskeyBodySchema,
    defaultValues: { name: passkey.name },
    send: (body) => rename.mutateAsync(body),
  });
  return (
    <FormDialog title={text.renameTitle(passkey.name)} form={form} text={text.rename} onClose={onClose}>
      <TextField label={text.name} {...form.field('name')} autoComplete="off" />
    </FormDialog>
  );
}

function DeleteDialog({ passkey, onClose }: { passkey: PasskeyView; onClose: () => void }) {
  const remove = useResourceMutation({
    call: () => api.deletePasskey({ params: { id: passkey.id } }),
    onSuccess: () => {
      showToast({ title: text.deleted, description: text.deletedText });
      onClose();
    },
    // Even after an error: the passkey may have been deleted elsewhere.
    invalidates: [passkeysKey],
    errorTitle: text.deleteFailed,
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={text.deleteTitle(passkey.name)}
      text={text.deleteText}
      confirm={text.delete}
      pending={remove.isPending}
      onConfirm={() => remove.mutate()}
    />
  );
}

function PasskeyRow({ passkey }: { passkey: PasskeyView }) {
  const [dialog, setDialog] = useState<'rename' | 'delete'>();
  const close = () => setDialog(undefined);
  const { name, createdAt, lastUsedAt } = passkey;
  const used = lastUsedAt ? text.lastUsed(formatTime(lastUsedAt)) : text.neverUsed;
  const items = [
    { label: text.rename.open, icon: Pencil, onSelect: () => setDialog('rename') },
    { label: text.delete, icon: Trash2, danger: true, onSelect: () => setDialog('delete') },
  ];
  return (
    <>
      <AccountListRow
        title={name}
        facts={[text.added(formatTime(createdAt)), used].join(' · ')}
        action={<ActionsMenu label={text.actions(name)} items={items} />}
      />
      {dialog === 'rename' && <RenameDialog passkey={passkey} onClose={close} />}
      {dialog === 'delete' && <DeleteDialog passkey={passkey} onClose={close} />}
    </>
  );
}

/** Loads the passkey code on demand, like all code that talks to authenticators. */
const addPasskey = async (values: { name: string; password: string; code?: string | undefined }) =>
  (await import('../../lib/session/passkeys.ts')).addPasskey(values);

function AddPasskey({ user, onAdded }: { user: User; onAdded: () => void }) {
  return (
    <ReauthAction
      user={user}
      text={text.add}
      schema={newPasskeySchema}
      defaultValues={{ name: describeDevice(navigator.userAgent) }}
      fields={(field) => (
        <TextField label={text.name} {...field('name')} maxLength={limits.nameLength} autoComplete="off" required />
      )}
      call={addPasskey}
      onDone={() => {
        onAdded();
        showToast({ title: text.addedTitle, description: text.addedText });
      }}
    />
  );
}

/** The user's passkeys, for signing in without a password. */
export function PasskeysSection({ user }: { user: User }) {
  const passkeys = useQuery<PasskeyView[]>({ queryKey: passkeysKey, gcTime: 0 });
  const list = useFocusFallback<HTMLDivElement>(String(passkeys.data?.length));
  const missing = user.emailVerified ? !hasPasskeys() && text.unsupported : text.unconfirmed;
  return (
    <AccountSection part="passkeys">
      <p className="text-muted text-sm">{text.text}</p>
      <div ref={list} tabIndex={-1} className="outline-none empty:hidden">
        {passkeys.data?.length !== 0 && (
          <AccountList query={passkeys} label={text.list}>
            {(passkey) => <PasskeyRow key={passkey.id} passkey={passkey} />}
          </AccountList>
        )}
      </div>
      {missing ? (
        <p className="text-muted text-sm">{missing}</p>
      ) : (
        <AddPasskey user={user} onAdded={() => void passkeys.refetch()} />
      )}
    </AccountSection>
  );
}
