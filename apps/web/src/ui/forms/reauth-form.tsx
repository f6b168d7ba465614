import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import type { User } from '@uprez/contracts/schemas/user';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import type * as z from 'zod';
import { hasErrorCode } from '../../lib/api/api-errors.ts';
import { useResourceMutation } from '../../lib/api/use-resource-mutation.ts';
import { emptyAsUndefined, useApiForm } from '../../lib/forms/use-api-form.ts';
import { dismissToasts } from '../../lib/notifications/toast-store.ts';
import { Button } from '../controls/button.tsx';
import { PasswordField, type PasswordFieldProps } from '../controls/password-field.tsx';
import { CodeField } from '../controls/text-field.tsx';
import { Notice } from '../feedback/notice.tsx';
import { cancelLabel as cancelText } from '../overlays/dialog.tsx';

const passwordText = 'Current password';

export const recoveryCodesKey = [apiRoutes.countRecoveryCodes.path] as const;

type Proof = { password: string; code?: string | undefined };

type ReauthFormProps<Values extends Proof, T> = {
  user: User;
  text: { submit: string; pending: string };
  /** With `danger`, the focus starts on Cancel. */
  look?: 'primary' | 'danger';
  schema: z.ZodType<unknown, Values>;
  defaultValues?: Omit<Values, keyof Proof>;
  /** Renders the other fields, below the password. `field` returns the props of a form field. */
  fields?: (field: (name: string) => Partial<PasswordFieldProps>) => ReactNode;
  call: (values: Values) => Promise<T>;
  onDone: (result: T) => void;
};

/** A form for changes that need the password and, with two-factor authentication, a code. */
export function ReauthForm<Values extends Proof, T>(props: ReauthFormProps<Values, T> & { onCancel: () => void }) {
  const { user, text, look = 'primary', fields, onCancel } = props;
  const [needsCode, setNeedsCode] = useState(user.twoFactorEnabled);
  const change = useResourceMutation({
    call: props.call,
    onSuccess: (result) => {
      dismissToasts();
      props.onDone(result);
    },
    // Refetches the number of recovery codes, because the entered code may have been one.
    invalidates: [recoveryCodesKey],
    // Shows the code field if two-factor authentication was turned on elsewhere.
    onError: (error) => hasErrorCode(error, 'two_factor_required') && setNeedsCode(true),
  });
  const form = useApiForm<FieldValues>({
    schema: props.schema as z.ZodType<unknown, FieldValues>,
    defaultValues: { ...props.defaultValues, password: '', code: undefined },
    send: (values) => change.mutateAsync(values as Values),
  });
  const element = useRef<HTMLFormElement>(null);
  const cancel = useRef<HTMLButtonElement>(null);
  const isDangerous = look === 'danger';
  useEffect(() => {
    const first = isDangerous ? cancel.current : element.current?.querySelector<HTMLElement>('input:not([hidden])');
    first?.focus();
  }, [isDangerous]);
  return (
    <form ref={element} className="grid gap-5" onSubmit={form.submit}>
      {/* Tells password managers which account the password belongs to. */}
      <input hidden readOnly name="username" autoComplete="username" value={user.email} />
      <PasswordField label={passwordText} {...form.field('password')} autoComplete="current-password" required />
      {fields?.(form.field)}
      {/* Last, because codes from an app expire within a minute. */}
      {needsCode && <CodeField {...form.field('code', emptyAsUndefined)} autoFocus={!user.twoFactorEnabled} />}
      {form.error && <Notice kind="danger">{form.error}</Notice>}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look={look} pending={form.isSubmitting} pendingText={text.pending}>
          {text.submit}
        </Button>
        <Button ref={cancel} look="ghost" onClick={onCancel}>
          {cancelText}
        </Button>
      </div>
    </form>
  );
}

type ReauthActionProps<Values extends Proof, T> = ReauthFormProps<Values, T> & {
  text: { open: string };
  /** Whether the button takes the focus because it replaces a focused control. */
  takesFocus?: boolean;
};

const focus = (button: HTMLButtonElement | null) => button?.focus({ preventScroll: true });

/** A button that opens a `ReauthForm` in its place. */
export function ReauthAction<Values extends Proof, T>({ takesFocus = false, ...props }: ReauthActionProps<Values, T>) {
  const [isOpen, setIsOpen] = useState<boolean>();
  if (!isOpen)
    return (
      <Button
        ref={takesFocus || isOpen === false ? focus : undefined}
        look="secondary"
        className="justify-self-start"
        onClick={() => setIsOpen(true)}
      >
        {props.text.open}
      </Button>
    );
  return (
    <div className="max-w-sm">
      <ReauthForm
        {...props}
        onDone={(result) => {
          setIsOpen(false);
          props.onDone(result);
        }}
        onCancel={() => setIsOpen(false)}
      />
    </div>
  );
}
