import { useQueryClient } from '@tanstack/react-query';
import { limits } from '@uprez/contracts/policy/limits';
import { proofBodySchema } from '@uprez/contracts/schemas/account';
import type { User } from '@uprez/contracts/schemas/user';
import { Download } from 'lucide-react';
import { useRef, useState } from 'react';
import { api } from '../../../lib/api/api.ts';
import { userKey } from '../../../lib/api/queries.ts';
import { downloadText } from '../../../lib/browser/download-text.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Checkbox } from '../../../ui/controls/checkbox.tsx';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { AccountSection, sessionsKey } from '../account-section.tsx';
import { ResendButton } from '../credential-sections.tsx';
import { accountMessages } from '../messages.ts';
import { ReauthAction } from '../reauth-form.tsx';
import { TwoFactorForm, type TwoFactorSetup } from './two-factor-form.tsx';

const { twoFactor: text, recoveryCodes: codesText } = accountMessages;

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

/** Shows the recovery codes once. It can be closed only after the user has confirmed to have saved them. */
function RecoveryCodesDialog({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const list = useRef<HTMLUListElement>(null);
  const [isSaved, setIsSaved] = useState(false);
  const all = codes.join('\n');
  return (
    <Dialog open locked onOpenChange={onDone} title={codesText.title} description={codesText.text}>
      <ul
        ref={list}
        aria-label={codesText.list}
        className="grid grid-cols-[repeat(auto-fit,minmax(9.5rem,1fr))] gap-x-6 gap-y-1.5 rounded-control bg-sunken p-4 font-mono text-sm"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-2">
        <Button look="secondary" onClick={() => downloadText(codesText.file, `${all}\n`)}>
          <Download aria-hidden="true" strokeWidth={1.75} className="size-4" />
          {codesText.download}
        </Button>
        <CopyButton text={all} label={codesText.copy} source={list} look="secondary" />
      </div>
      <Checkbox label={codesText.saved} checked={isSaved} onChange={setIsSaved} />
      <Button className="justify-self-start" disabled={!isSaved} onClick={onDone}>
        {codesText.done}
      </Button>
    </Dialog>
  );
}

export function TwoFactorSection({ user }: { user: User }) {
  const queryClient = useQueryClient();
  const [codes, setCodes] = useState<readonly string[]>();
  const [hasChanged, setHasChanged] = useState(false);
  const isOn = user.twoFactorEnabled;
  const change = (twoFactorEnabled: boolean) => {
    setHasChanged(true);
    queryClient.setQueryData<User | null>(userKey, (known) => known && { ...known, twoFactorEnabled });
    // All other sessions have ended.
    void queryClient.invalidateQueries({ queryKey: sessionsKey });
  };
  const content = () => {
    if (isOn)
      return (
        <>
          <p className="text-muted text-sm">{text.lost(limits.recoveryCodes)}</p>
          <ReauthAction
            user={user}
            text={text.disable}
            takesFocus={hasChanged}
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
      {codes ? <RecoveryCodesDialog codes={codes} onDone={() => setCodes(undefined)} /> : content()}
    </AccountSection>
  );
}
