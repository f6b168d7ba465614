import { useQueryClient } from '@tanstack/react-query';
import { proofBodySchema } from '@uprez/contracts/schemas/account';
import type { User } from '@uprez/contracts/schemas/user';
import { useState } from 'react';
import { api } from '../../../lib/api/api.ts';
import { userKey } from '../../../lib/api/queries.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { ReauthAction } from '../../../ui/forms/reauth-form.tsx';
import { AccountSection, sessionsKey } from '../account-section.tsx';
import { ResendButton } from '../credential-sections.tsx';
import { accountMessages } from '../messages.ts';
import { type NewCodes, RecoveryCodes, RecoveryCodesDialog } from './recovery-codes.tsx';
import { TwoFactorForm, type TwoFactorSetup } from './two-factor-form.tsx';

const text = accountMessages.twoFactor;

type TurnOnProps = { user: User; takesFocus: boolean; onEnabled: (codes: readonly string[]) => void };

function TurnOn({ user, takesFocus, onEnabled }: TurnOnProps) {
  // The secret is only in this state, so leaving the page discards it.
  const [setup, setSetup] = useState<TwoFactorSetup>();
  const [isBack, setIsBack] = useState(takesFocus);
  if (setup)
    return (
      <TwoFactorForm
        setup={setup}
        onEnabled={onEnabled}
        onCancel={() => {
          setIsBack(true);
          setSetup(undefined);
        }}
      />
    );
  return (
    <>
      <p className="text-muted text-sm">{text.text}</p>
      <ReauthAction
        user={user}
        text={text.setUp}
        takesFocus={isBack}
        schema={proofBodySchema}
        call={async (body) => (await api.setUpTwoFactor({ body })).data}
        onDone={setSetup}
      />
    </>
  );
}

export function TwoFactorSection({ user }: { user: User }) {
  const queryClient = useQueryClient();
  const [newCodes, setNewCodes] = useState<NewCodes>();
  /** What was changed last. Its button takes the focus afterward. */
  const [changed, setChanged] = useState<'state' | 'codes'>();
  const isOn = user.twoFactorEnabled;
  const change = (twoFactorEnabled: boolean) => {
    setChanged('state');
    queryClient.setQueryData<User | null>(userKey, (known) => known && { ...known, twoFactorEnabled });
    // All other sessions have ended.
    void queryClient.invalidateQueries({ queryKey: sessionsKey });
  };
  const content = () => {
    if (isOn)
      return (
        <>
          <p className="text-muted text-sm">{text.lost}</p>
          <RecoveryCodes
            user={user}
            takesFocus={changed === 'codes'}
            onRenewed={(codes) => {
              setNewCodes({ codes, reason: 'renewed' });
              setChanged('codes');
            }}
          />
          <ReauthAction
            user={user}
            text={text.disable}
            takesFocus={changed === 'state'}
            schema={proofBodySchema}
            call={(body) => api.disableTwoFactor({ body })}
            onDone={() => {
              change(false);
              showToast(text.disabled);
            }}
          />
        </>
      );
    if (!user.emailVerified)
      return (
        <>
          <p className="text-muted text-sm">{text.text}</p>
          <Notice kind="info">{text.unconfirmed}</Notice>
          <ResendButton />
        </>
      );
    return (
      <TurnOn
        user={user}
        takesFocus={changed === 'state'}
        onEnabled={(codes) => {
          setNewCodes({ codes, reason: 'enabled' });
          change(true);
        }}
      />
    );
  };
  return (
    <AccountSection
      part="two-factor"
      state={<Badge kind={isOn ? 'success' : 'neutral'}>{isOn ? text.on : text.off}</Badge>}
    >
      {newCodes ? <RecoveryCodesDialog {...newCodes} onDone={() => setNewCodes(undefined)} /> : content()}
    </AccountSection>
  );
}
