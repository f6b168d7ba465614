import { useQuery } from '@tanstack/react-query';
import { limits } from '@uprez/contracts/policy/limits';
import { proofBodySchema, type RecoveryCodesLeft } from '@uprez/contracts/schemas/account';
import type { User } from '@uprez/contracts/schemas/user';
import { Download } from 'lucide-react';
import { useRef, useState } from 'react';
import { api } from '../../../lib/api/api.ts';
import { downloadText } from '../../../lib/browser/download-text.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Checkbox } from '../../../ui/controls/checkbox.tsx';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { ReauthAction, recoveryCodesKey } from '../../../ui/forms/reauth-form.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { accountMessages } from '../messages.ts';

const text = accountMessages.recoveryCodes;

/** New recovery codes, and why they were created. */
export type NewCodes = { codes: readonly string[]; reason: keyof typeof text.texts };

type DialogProps = NewCodes & { onDone: () => void };

/** Shows the recovery codes once. It can be closed only after the user has confirmed to have saved them. */
export function RecoveryCodesDialog({ codes, reason, onDone }: DialogProps) {
  const list = useRef<HTMLUListElement>(null);
  const [isSaved, setIsSaved] = useState(false);
  const all = codes.join('\n');
  return (
    <Dialog open locked onOpenChange={onDone} title={text.title} description={text.texts[reason]}>
      <ul
        ref={list}
        aria-label={text.list}
        className="grid grid-cols-[repeat(auto-fit,minmax(9.5rem,1fr))] gap-x-6 gap-y-1.5 rounded-control bg-sunken p-4 font-mono text-sm"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-2">
        <Button look="secondary" onClick={() => downloadText(text.file, `${all}\n`)}>
          <Download aria-hidden="true" strokeWidth={1.75} className="size-4" />
          {text.download}
        </Button>
        <CopyButton text={all} label={text.copy} source={list} look="secondary" />
      </div>
      <Checkbox label={text.saved} checked={isSaved} onChange={setIsSaved} />
      <Button className="justify-self-start" disabled={!isSaved} onClick={onDone}>
        {text.done}
      </Button>
    </Dialog>
  );
}

/** From this number on, the user is asked to create new codes. */
const few = 3;

/** Number of unused recovery codes. Refetched on every visit, and not cached for the next user. */
const useRecoveryCodesLeft = () => useQuery<RecoveryCodesLeft>({ queryKey: recoveryCodesKey, gcTime: 0 });

function CodesLeft({ left }: RecoveryCodesLeft) {
  const sentence = text.left(left, limits.recoveryCodes);
  if (left > few) return <p className="text-sm tabular-nums">{sentence}</p>;
  return (
    <Notice kind="warning">
      <p className="font-medium tabular-nums">{sentence}</p>
      <p>{text.few}</p>
    </Notice>
  );
}

type RecoveryCodesProps = { user: User; takesFocus: boolean; onRenewed: (codes: readonly string[]) => void };

/** The number of unused recovery codes, and a form that creates new ones. */
export function RecoveryCodes({ user, takesFocus, onRenewed }: RecoveryCodesProps) {
  return (
    <>
      <QueryView query={useRecoveryCodesLeft()} skeleton={<Skeleton className="h-5 w-48" />}>
        {({ left }) => <CodesLeft left={left} />}
      </QueryView>
      <ReauthAction
        user={user}
        text={text.renew}
        takesFocus={takesFocus}
        schema={proofBodySchema}
        call={async (body) => (await api.renewRecoveryCodes({ body })).data.recoveryCodes}
        onDone={onRenewed}
      />
    </>
  );
}
