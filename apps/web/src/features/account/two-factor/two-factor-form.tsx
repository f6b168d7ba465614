import { enableTwoFactorBodySchema } from '@uprez/contracts/schemas/account';
import clsx from 'clsx';
import { OTPInput, REGEXP_ONLY_DIGITS } from 'input-otp';
import { useEffect, useRef } from 'react';
import { Controller, type ControllerRenderProps } from 'react-hook-form';
import { api } from '../../../lib/api/api.ts';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { useApiForm } from '../../../lib/forms/use-api-form.ts';
import { dismissToasts } from '../../../lib/notifications/toast-store.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import { Field } from '../../../ui/controls/field.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { accountMessages } from '../messages.ts';

const text = accountMessages.twoFactor;
const length = 6;

type DigitsFieldProps = ControllerRenderProps<{ code: string }, 'code'> & {
  label: string;
  error: string | undefined;
  onComplete: () => void;
};

/** Six digits, each in a box. Takes the focus when it appears, and accepts pasted codes with spaces. */
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
          maxLength={length}
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

export type TwoFactorSetup = Awaited<ReturnType<typeof api.setUpTwoFactor>>['data'];

/** The key for an authenticator app as a QR code and as text in groups of four. */
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

export function TwoFactorForm({ setup, onEnabled, onCancel }: TwoFactorFormProps) {
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
