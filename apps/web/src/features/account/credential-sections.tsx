import { useQuery, useQueryClient } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { limits } from '@uprez/contracts/policy/limits';
import { emailBodySchema, proofBodySchema } from '@uprez/contracts/schemas/account';
import { type PasskeyView, passkeyNameSchema, renamePasskeyBodySchema } from '@uprez/contracts/schemas/passkeys';
import type { User } from '@uprez/contracts/schemas/user';
import { describeDevice } from '@uprez/contracts/texts/admin/describe-device';
import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import * as z from 'zod';
import { api } from '../../lib/api/api.ts';
import { formatDateTime } from '../../lib/format/format.ts';
import { newPasswordSchema, useMinPasswordLength } from '../../lib/forms/new-password-schema.ts';
import { useFocusFallback } from '../../lib/layout/focus.ts';
import { showToast } from '../../lib/notifications/toast-store.ts';
import { hasPasskeys } from '../../lib/session/passkey-support.ts';
import { useEmailChoice } from '../../lib/session/use-email-choice.ts';
import { useResendLink, verifyEmailMessages } from '../../lib/session/use-resend-link.ts';
import { messages } from '../../messages.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Checkbox } from '../../ui/controls/checkbox.tsx';
import { NewPasswordFields } from '../../ui/controls/password-field.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { Badge } from '../../ui/feedback/badge.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { ReauthAction } from '../../ui/forms/reauth-form.tsx';
import { ConfirmCallDialog, FormCallDialog } from '../../ui/overlays/call-dialog.tsx';
import { ActionsMenu } from '../../ui/overlays/menu.tsx';
import { AccountList, AccountListRow, AccountSection, sessionsKey } from './account-section.tsx';
import { accountMessages } from './messages.ts';

const passkeyText = accountMessages.passkeys;
const passkeysKey = [apiRoutes.listPasskeys.path] as const;
const newPasskeySchema = proofBodySchema.extend({ name: passkeyNameSchema });

type PasskeyDialogProps = { passkey: PasskeyView; onClose: () => void };

const RenameDialog = ({ passkey: { id, name }, onClose }: PasskeyDialogProps) => (
  <FormCallDialog
    text={{ ...passkeyText.rename, title: passkeyText.renameTitle(name) }}
    schema={renamePasskeyBodySchema}
    initial={{ name }}
    fields={[{ name: 'name', label: passkeyText.name, autoComplete: 'off' }]}
    call={(body) => api.renamePasskey({ params: { id }, body })}
    refreshes={[passkeysKey]}
    onClose={onClose}
  />
);

/** Refetches the passkeys even after an error, because the passkey may have been deleted elsewhere. */
const DeleteDialog = ({ passkey: { id, name }, onClose }: PasskeyDialogProps) => (
  <ConfirmCallDialog
    text={{ title: passkeyText.deleteTitle(name), text: passkeyText.deleteText, confirm: passkeyText.delete }}
    call={() => api.deletePasskey({ params: { id } })}
    refreshes={[passkeysKey]}
    failed={passkeyText.deleteFailed}
    done={{ title: passkeyText.deleted, description: passkeyText.deletedText }}
    onClose={onClose}
  />
);

function PasskeyRow({ passkey }: { passkey: PasskeyView }) {
  const [dialog, setDialog] = useState<'rename' | 'delete'>();
  const close = () => setDialog(undefined);
  const { name, createdAt, lastUsedAt } = passkey;
  const used = lastUsedAt ? passkeyText.lastUsed(formatDateTime(lastUsedAt)) : passkeyText.neverUsed;
  const items = [
    { label: passkeyText.rename.open, icon: Pencil, onSelect: () => setDialog('rename') },
    { label: passkeyText.delete, icon: Trash2, danger: true, onSelect: () => setDialog('delete') },
  ];
  return (
    <>
      <AccountListRow
        title={name}
        facts={[passkeyText.added(formatDateTime(createdAt)), used].join(' · ')}
        action={<ActionsMenu label={passkeyText.actions(name)} items={items} />}
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
      text={passkeyText.add}
      schema={newPasskeySchema}
      defaultValues={{ name: describeDevice(navigator.userAgent) }}
      fields={(field) => (
        <TextField
          label={passkeyText.name}
          {...field('name')}
          maxLength={limits.nameLength}
          autoComplete="off"
          required
        />
      )}
      call={addPasskey}
      onDone={() => {
        onAdded();
        showToast({ title: passkeyText.addedTitle, description: passkeyText.addedText });
      }}
    />
  );
}

export function PasskeysSection({ user }: { user: User }) {
  const passkeys = useQuery<PasskeyView[]>({ queryKey: passkeysKey, gcTime: 0 });
  const list = useFocusFallback<HTMLDivElement>(String(passkeys.data?.length));
  const missing = user.emailVerified ? !hasPasskeys() && passkeyText.unsupported : passkeyText.unconfirmed;
  return (
    <AccountSection part="passkeys">
      <p className="text-muted text-sm">{passkeyText.text}</p>
      <div ref={list} tabIndex={-1} className="outline-none empty:hidden">
        {passkeys.data?.length !== 0 && (
          <AccountList query={passkeys} label={passkeyText.list}>
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

const { email: text, newPassword: passwordText } = accountMessages;

export function ResendButton() {
  const resend = useResendLink();
  return (
    <Button look="secondary" className="justify-self-start" pending={resend.isPending} onClick={() => resend.mutate()}>
      {accountMessages.email.resend}
    </Button>
  );
}

function EmailSettings() {
  const quota = useEmailChoice('quotaEmails');
  const batch = useEmailChoice('batchEmails');
  return (
    <div className="grid gap-1.5">
      <Checkbox label={text.quota} checked={quota.checked} onChange={(chosen) => quota.change(chosen)} />
      <Checkbox
        label={messages.emailChoices.batch}
        checked={batch.checked}
        onChange={(chosen) => batch.change(chosen)}
      />
      <p className="text-muted text-sm">{text.security}</p>
    </div>
  );
}

export function EmailSection({ user }: { user: User }) {
  const [asked, setAsked] = useState<{ email: string; message: string }>();
  const badge = user.emailVerified ? (
    <Badge kind="success">{text.confirmed}</Badge>
  ) : (
    <Badge kind="warning">{text.unconfirmed}</Badge>
  );
  return (
    <AccountSection part="email" state={badge}>
      <p className="text-sm wrap-anywhere">{user.email}</p>
      {!user.emailVerified && <ResendButton />}
      {asked && asked.email !== user.email && (
        <Notice kind="info">
          <p className="font-medium">{text.asked(asked.email)}</p>
          <p className="text-muted">{asked.message}</p>
        </Notice>
      )}
      <p className="text-muted text-sm">{text.text}</p>
      <ReauthAction
        user={user}
        text={text}
        schema={emailBodySchema}
        defaultValues={{ email: '' }}
        fields={(field) => (
          <TextField
            label={text.newEmail}
            {...field('email')}
            type="email"
            autoComplete="email"
            autoCapitalize="none"
            spellCheck={false}
            required
          />
        )}
        call={async (body) => ({ email: body.email.trim(), message: (await api.changeEmail({ body })).data.message })}
        onDone={(result) => {
          setAsked(result);
          showToast({ title: verifyEmailMessages.sent, description: result.message });
        }}
      />
      <EmailSettings />
    </AccountSection>
  );
}

export function PasswordSection({ user }: { user: User }) {
  const queryClient = useQueryClient();
  const minLength = useMinPasswordLength();
  const [changed, setChanged] = useState<string>();
  return (
    <AccountSection part="password">
      <p className="text-muted text-sm">{passwordText.text}</p>
      {changed && <Notice kind="info">{changed}</Notice>}
      <ReauthAction
        user={user}
        text={passwordText}
        schema={z.object(proofBodySchema.shape).and(newPasswordSchema(minLength))}
        defaultValues={{ newPassword: '', confirmPassword: '' }}
        fields={(field) => <NewPasswordFields field={field} />}
        call={async ({ password: currentPassword, newPassword, code }) =>
          (await api.changePassword({ body: { currentPassword, newPassword, code } })).data.message
        }
        onDone={(message) => {
          setChanged(message);
          showToast({ title: passwordText.done, description: message });
          void queryClient.invalidateQueries({ queryKey: sessionsKey });
        }}
      />
    </AccountSection>
  );
}
