import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { api } from '../../../lib/api/api.ts';
import { fieldErrors } from '../../../lib/forms/field-errors.ts';
import { formText } from '../../../lib/forms/form-text.ts';
import { dismissToasts } from '../../../lib/notifications/toast-store.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import { FormFault } from '../../../ui/controls/form-fault.tsx';
import { accountMessages } from '../messages.ts';
import { useFaultFocus } from '../use-fault-focus.ts';
import { DigitsField } from './digits-field.tsx';

const text = accountMessages.twoFactor;

export type TwoFactorSetup = Awaited<ReturnType<typeof api.setUpTwoFactor>>['data'];

/** The key for an authenticator app: as an image, and as a text in groups of four. */
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

/** Puts the new key into force, proved by a code of it. */
export function TwoFactorForm({ setup, onEnabled, onCancel }: TwoFactorFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const enable = useMutation({
    mutationFn: async (code: string) => (await api.enableTwoFactor({ body: { code } })).data.recoveryCodes,
    onSuccess: (codes) => {
      dismissToasts();
      onEnabled(codes);
    },
  });
  useFaultFocus(form, enable.error);
  return (
    <form
      ref={form}
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (!enable.isPending) enable.mutate(formText(new FormData(event.currentTarget), 'code'));
      }}
    >
      <Key setup={setup} />
      <DigitsField
        label={text.code}
        name="code"
        error={fieldErrors(enable.error).code}
        onComplete={() => form.current?.requestSubmit()}
      />
      <FormFault error={enable.error} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" pending={enable.isPending} pendingText={text.enabling}>
          {text.enable}
        </Button>
        <Button look="ghost" onClick={onCancel}>
          {accountMessages.cancel}
        </Button>
      </div>
    </form>
  );
}
