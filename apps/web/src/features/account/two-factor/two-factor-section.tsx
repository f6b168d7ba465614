import { useQuery, useQueryClient } from '@tanstack/react-query';
import { limits } from '@uprez/contracts/policy/limits';
import { enableTwoFactorBodySchema, proofBodySchema, type RecoveryCodeCount } from '@uprez/contracts/schemas/account';
import type { User } from '@uprez/contracts/schemas/user';
import clsx from 'clsx';
import { OTPInput, REGEXP_ONLY_DIGITS } from 'input-otp';
import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Controller, type ControllerRenderProps } from 'react-hook-form';
import { api } from '../../../lib/api/api.ts';
import { userKey } from '../../../lib/api/queries.ts';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { downloadText } from '../../../lib/browser/download-text.ts';
import { useApiForm } from '../../../lib/forms/use-api-form.ts';
import { dismissToasts, showToast } from '../../../lib/notifications/toast-store.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Checkbox } from '../../../ui/controls/checkbox.tsx';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import { Field } from '../../../ui/controls/field.tsx';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { ReauthAction, recoveryCodesKey } from '../../../ui/forms/reauth-form.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { AccountSection, sessionsKey } from '../account-section.tsx';
import { ResendButton } from '../credential-sections.tsx';
import { accountMessages } from '../messages.ts';

const recoveryCodesText = accountMessages.recoveryCodes;

type NewRecoveryCodes = { codes: readonly string[]; reason: keyof typeof recoveryCodesText.texts };

const text = accountMessages.twoFactor;

export function TwoFactorSection({ user }: { user: User }) {
  const queryClient = useQueryClient();
  const [newCodes, setNewCodes] = useState<NewRecoveryCodes>();
  /** What the user changed last. The matching button takes the focus afterward. */
  const [changed, setChanged] = useState<'state' | 'codes'>();
  const isOn = user.twoFactorEnabled;
  const change = (twoFactorEnabled: boolean) => {
    setChanged('state');
    queryClient.setQueryData<User | null>(userKey, (known) => known && { ...known, twoFactorEnabled });
    // Refetches the sessions, because the change ended all others.
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

type DialogProps = NewRecoveryCodes & { onDone: () => void };

/** Shows the recovery codes once. Can be closed only after the user confirms having saved them. */
function RecoveryCodesDialog({ codes, reason, onDone }: DialogProps) {
  const list = useRef<HTMLUListElement>(null);
  const [isSaved, setIsSaved] = useState(false);
  const all = codes.join('\n');
  return (
    <Dialog
      open
      locked
      onOpenChange={onDone}
      title={recoveryCodesText.title}
      description={recoveryCodesText.texts[reason]}
    >
      <ul
        ref={list}
        aria-label={recoveryCodesText.list}
        className="grid grid-cols-[repeat(auto-fit,minmax(9.5rem,1fr))] gap-x-6 gap-y-1.5 rounded-control bg-sunken p-4 font-mono text-sm"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-2">
        <Button look="secondary" onClick={() => downloadText(recoveryCodesText.file, `${all}\n`)}>
          <Download aria-hidden="true" strokeWidth={1.75} className="size-4" />
          {recoveryCodesText.download}
        </Button>
        <CopyButton text={all} label={recoveryCodesText.copy} source={list} look="secondary" />
      </div>
      <Checkbox label={recoveryCodesText.saved} checked={isSaved} onChange={setIsSaved} />
      <Button className="justify-self-start" disabled={!isSaved} onClick={onDone}>
        {recoveryCodesText.done}
      </Button>
    </Dialog>
  );
}

/** If this many codes or fewer are unused, the user is asked to create new ones. */
const lowCodeCount = 3;

/**
 * Reads how many recovery codes are unused. Refetches on every visit, and doesn't cache the count for the next user.
 */
const useRecoveryCodesLeft = () => useQuery<RecoveryCodeCount>({ queryKey: recoveryCodesKey, gcTime: 0 });

function CodesLeft({ left }: RecoveryCodeCount) {
  const sentence = recoveryCodesText.left(left, limits.recoveryCodes);
  if (left > lowCodeCount) return <p className="text-sm tabular-nums">{sentence}</p>;
  return (
    <Notice kind="warning">
      <p className="font-medium tabular-nums">{sentence}</p>
      <p>{recoveryCodesText.few}</p>
    </Notice>
  );
}

type RecoveryCodesProps = { user: User; takesFocus: boolean; onRenewed: (codes: readonly string[]) => void };

function RecoveryCodes({ user, takesFocus, onRenewed }: RecoveryCodesProps) {
  return (
    <>
      <QueryView query={useRecoveryCodesLeft()} skeleton={<Skeleton className="h-5 w-48" />}>
        {({ left }) => <CodesLeft left={left} />}
      </QueryView>
      <ReauthAction
        user={user}
        text={recoveryCodesText.renew}
        takesFocus={takesFocus}
        schema={proofBodySchema}
        call={async (body) => (await api.renewRecoveryCodes({ body })).data.recoveryCodes}
        onDone={onRenewed}
      />
    </>
  );
}

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

const codeLength = 6;

type DigitsFieldProps = ControllerRenderProps<{ code: string }, 'code'> & {
  label: string;
  error: string | undefined;
  onComplete: () => void;
};

function DigitsField({ ref, label, error, ...props }: DigitsFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus({ preventScroll: true }), []);
  return (
    <Field label={label} error={error}>
      {(ties) => (
        <OTPInput
          {...ties}
          {...props}
          ref={(element) => {
            input.current = element;
            ref(element);
          }}
          maxLength={codeLength}
          required
          inputMode="numeric"
          autoComplete="one-time-code"
          pattern={REGEXP_ONLY_DIGITS}
          pasteTransformer={(pasted) => pasted.replace(/\D/g, '')}
          containerClassName="w-fit"
          render={({ slots }) => (
            <div className="flex gap-1.5">
              {slots.map(({ char, isActive }, index) => (
                <div
                  key={index}
                  className={clsx(
                    'grid h-11 w-9 place-items-center rounded-control border bg-surface font-medium text-lg tabular-nums sm:w-10',
                    error ? 'border-danger' : 'border-edge',
                    isActive && 'outline-2 outline-focus outline-offset-1',
                  )}
                >
                  {char}
                </div>
              ))}
            </div>
          )}
        />
      )}
    </Field>
  );
}

type TwoFactorSetup = Awaited<ReturnType<typeof api.setUpTwoFactor>>['data'];

function Key({ setup }: { setup: TwoFactorSetup }) {
  const shown = useRef<HTMLElement>(null);
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-4">
      <img
        src={setup.qrCode}
        alt={text.qrCode}
        width={176}
        height={176}
        className="size-44 rounded-control border border-line bg-white"
      />
      <div className="grid min-w-0 flex-1 basis-48 gap-2 text-sm">
        <p>{text.scan}</p>
        <p className="text-muted">{text.secret}</p>
        <div className="flex items-center gap-1">
          <code ref={shown} className="min-w-0 rounded-control bg-sunken px-2 py-1 font-mono wrap-anywhere">
            {setup.secret.replace(/.{4}(?=.)/g, '$& ')}
          </code>
          <CopyButton text={setup.secret} label={text.copySecret} source={shown} />
        </div>
      </div>
    </div>
  );
}

type TwoFactorFormProps = {
  setup: TwoFactorSetup;
  onEnabled: (codes: readonly string[]) => void;
  onCancel: () => void;
};

function TwoFactorForm({ setup, onEnabled, onCancel }: TwoFactorFormProps) {
  const element = useRef<HTMLFormElement>(null);
  const enable = useResourceMutation({
    call: async (body: { code: string }) => (await api.enableTwoFactor({ body })).data.recoveryCodes,
    onSuccess: (codes) => {
      dismissToasts();
      onEnabled(codes);
    },
  });
  const form = useApiForm({ schema: enableTwoFactorBodySchema, defaultValues: { code: '' }, send: enable.mutateAsync });
  return (
    <form ref={element} className="grid gap-5" onSubmit={form.submit}>
      <Key setup={setup} />
      <Controller
        control={form.control}
        name="code"
        render={({ field }) => (
          <DigitsField
            {...field}
            label={text.code}
            error={form.errorOf('code')}
            onComplete={() => !form.isSubmitting && element.current?.requestSubmit()}
          />
        )}
      />
      {form.error && <Notice kind="danger">{form.error}</Notice>}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" pending={form.isSubmitting} pendingText={text.enabling}>
          {text.enable}
        </Button>
        <Button look="ghost" onClick={onCancel}>
          {accountMessages.cancel}
        </Button>
      </div>
    </form>
  );
}
