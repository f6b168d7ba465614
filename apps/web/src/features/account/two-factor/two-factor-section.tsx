import { useQueryClient } from '@tanstack/react-query';
import { limits } from '@uprez/contracts/policy/limits';
import { proofBodySchema } from '@uprez/contracts/schemas/account';
import type { User } from '@uprez/contracts/schemas/user';
import { useState } from 'react';
import { api } from '../../../lib/api/api.ts';
import { userKey } from '../../../lib/api/user-key.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { sessionsKey } from '../account-list.tsx';
import { AccountSection } from '../account-section.tsx';
import { ResendButton } from '../email-section.tsx';
import { accountMessages } from '../messages.ts';
import { ReauthAction } from '../reauth-form.tsx';
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx';
import { TwoFactorForm, type TwoFactorSetup } from './two-factor-form.tsx';

/** Updates the cached user after two-factor authentication was turned on or off, which ends all other sessions. */
function useTwoFactorUpdate() {
  const queryClient = useQueryClient();
  return (twoFactorEnabled: boolean) => {
    queryClient.setQueryData<User | null>(userKey, (known) => known && { ...known, twoFactorEnabled });
    void queryClient.invalidateQueries({ queryKey: sessionsKey });
  };
}

const text = accountMessages.twoFactor;

type PartProps = { user: User; takesFocus: boolean };

function TurnOff({ user, takesFocus, onDone }: PartProps & { onDone: () => void }) {
  return (
    <>
      <p className="text-muted text-sm">{text.lost(limits.recoveryCodes)}</p>
      <ReauthAction
        user={user}
        text={text.disable}
        takesFocus={takesFocus}
        schema={proofBodySchema}
        call={(body) => api.disableTwoFactor({ body })}
        onDone={onDone}
      />
    </>
  );
}

function TurnOn({ user, takesFocus, onEnabled }: PartProps & { onEnabled: (codes: readonly string[]) => void }) {
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

function Unconfirmed() {
  return (
    <>
      <p className="text-muted text-sm">{text.text}</p>
      <Notice kind="info">{text.unconfirmed}</Notice>
      <ResendButton />
    </>
  );
}

/** Turns two-factor authentication on and off, and shows the recovery codes. */
export function TwoFactorSection({ user }: { user: User }) {
  const note = useTwoFactorUpdate();
  const [codes, setCodes] = useState<readonly string[]>();
  const [hasChanged, setHasChanged] = useState(false);
  const isOn = user.twoFactorEnabled;
  const change = (enabled: boolean) => {
    setHasChanged(true);
    note(enabled);
  };
  const way = () => {
    if (isOn)
      return (
        <TurnOff
          user={user}
          takesFocus={hasChanged}
          onDone={() => {
            change(false);
            showToast(text.disabled);
          }}
        />
      );
    if (!user.emailVerified) return <Unconfirmed />;
    return (
      <TurnOn
        user={user}
        takesFocus={hasChanged}
        onEnabled={(shown) => {
          setCodes(shown);
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
      {codes ? <RecoveryCodesDialog codes={codes} onDone={() => setCodes(undefined)} /> : way()}
    </AccountSection>
  );
}
