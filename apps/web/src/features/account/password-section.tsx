import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/api/api.ts';
import { formText } from '../../lib/forms/form-text.ts';
import { findNewPasswordFault, newPasswordFields, useMinPasswordLength } from '../../lib/forms/new-password-fault.ts';
import { showToast } from '../../lib/notifications/toast-store.ts';
import { NewPasswordFields } from '../../ui/controls/new-password-fields.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { sessionsKey } from './account-keys.ts';
import { AccountSection } from './account-section.tsx';
import { accountMessages } from './messages.ts';
import { ProvenAction } from './proven-action.tsx';

const text = accountMessages.newPassword;

/** Choosing another password. */
export function PasswordSection({ user }: { user: { email: string; twoFactorEnabled: boolean } }) {
  const queryClient = useQueryClient();
  const minLength = useMinPasswordLength();
  const [changed, setChanged] = useState<string>();
  return (
    <AccountSection part="password">
      <p className="text-muted text-sm">{text.text}</p>
      {changed && <Notice kind="info">{changed}</Notice>}
      <ProvenAction
        user={user}
        text={text}
        fields={(errors) => <NewPasswordFields errors={errors} />}
        check={(form) => findNewPasswordFault(form, minLength)}
        send={async ({ password, code }, form) => {
          const newPassword = formText(form, newPasswordFields.password);
          return (await api.changePassword({ body: { currentPassword: password, newPassword, code } })).data.message;
        }}
        onDone={(message) => {
          setChanged(message);
          showToast({ title: text.done, description: message });
          void queryClient.invalidateQueries({ queryKey: sessionsKey });
        }}
      />
    </AccountSection>
  );
}
