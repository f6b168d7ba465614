import { emailBodySchema } from '@uprez/contracts/schemas/account';
import type { User } from '@uprez/contracts/schemas/user';
import { useState } from 'react';
import { api } from '../../lib/api/api.ts';
import { showToast } from '../../lib/notifications/toast-store.ts';
import { useResendLink } from '../../lib/session/use-resend-link.ts';
import { messages } from '../../messages.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { Badge } from '../../ui/feedback/badge.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { AccountSection } from './account-section.tsx';
import { accountMessages } from './messages.ts';
import { ReauthAction } from './reauth-form.tsx';

const text = accountMessages.email;

export function ResendButton() {
  const resend = useResendLink();
  return (
    <Button look="secondary" className="justify-self-start" pending={resend.isPending} onClick={() => resend.mutate()}>
      {accountMessages.email.resend}
    </Button>
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
          showToast({ title: messages.verifyEmail.sent, description: result.message });
        }}
      />
    </AccountSection>
  );
}
