import { useQueryClient } from '@tanstack/react-query';
import { emailBodySchema, proofBodySchema } from '@uprez/contracts/schemas/account';
import type { User } from '@uprez/contracts/schemas/user';
import { useState } from 'react';
import * as z from 'zod';
import { api } from '../../lib/api/api.ts';
import { newPasswordSchema, useMinPasswordLength } from '../../lib/forms/new-password-schema.ts';
import { showToast } from '../../lib/notifications/toast-store.ts';
import { useEmailChoice } from '../../lib/session/use-email-choice.ts';
import { useResendLink } from '../../lib/session/use-resend-link.ts';
import { verifyEmailMessages } from '../../lib/session/verify-email-messages.ts';
import { messages } from '../../messages.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Checkbox } from '../../ui/controls/checkbox.tsx';
import { NewPasswordFields } from '../../ui/controls/password-field.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { Badge } from '../../ui/feedback/badge.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { ReauthAction } from '../../ui/forms/reauth-form.tsx';
import { AccountSection, sessionsKey } from './account-section.tsx';
import { accountMessages } from './messages.ts';

const { email: text, newPassword: passwordText } = accountMessages;

export function ResendButton() {
  const resend = useResendLink();
  return (
    <Button look="secondary" className="justify-self-start" pending={resend.isPending} onClick={() => resend.mutate()}>
      {accountMessages.email.resend}
    </Button>
  );
}

/** Emails that the user can turn on and off. */
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
