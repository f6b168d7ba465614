import { useQueryClient } from '@tanstack/react-query';
import { proofBodySchema } from '@uprez/contracts/schemas/account';
import type { User } from '@uprez/contracts/schemas/user';
import { useState } from 'react';
import * as z from 'zod';
import { api } from '../../lib/api/api.ts';
import { newPasswordSchema, useMinPasswordLength } from '../../lib/forms/new-password-schema.ts';
import { showToast } from '../../lib/notifications/toast-store.ts';
import { NewPasswordFields } from '../../ui/controls/password-field.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { AccountSection, sessionsKey } from './account-section.tsx';
import { accountMessages } from './messages.ts';
import { ReauthAction } from './reauth-form.tsx';

const text = accountMessages.newPassword;

export function PasswordSection({ user }: { user: User }) {
  const queryClient = useQueryClient();
  const minLength = useMinPasswordLength();
  const [changed, setChanged] = useState<string>();
  return (
    <AccountSection part="password">
      <p className="text-muted text-sm">{text.text}</p>
      {changed && <Notice kind="info">{changed}</Notice>}
      <ReauthAction
        user={user}
        text={text}
        schema={z.object(proofBodySchema.shape).and(newPasswordSchema(minLength))}
        defaultValues={{ newPassword: '', confirmPassword: '' }}
        fields={(field) => <NewPasswordFields field={field} />}
        call={async ({ password: currentPassword, newPassword, code }) =>
          (await api.changePassword({ body: { currentPassword, newPassword, code } })).data.message
        }
        onDone={(message) => {
          setChanged(message);
          showToast({ title: text.done, description: message });
          void queryClient.invalidateQueries({ queryKey: sessionsKey });
        }}
      />
    </AccountSection>
  );
}
