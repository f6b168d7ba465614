import clsx from 'clsx';
import type { ComponentProps, ReactNode } from 'react';
import { messages } from '../../messages.ts';
import { Field, type FieldTexts, inputStyle } from './field.tsx';

/** Attributes of fields for exact values, such as URLs, which browsers must not suggest or change. */
export const exactInput = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;

type TextFieldProps = ComponentProps<'input'> & FieldTexts & { end?: ReactNode };

export function TextField({ label, labelHidden, optional, hint, error, end, className, ...props }: TextFieldProps) {
  return (
    <Field label={label} labelHidden={labelHidden} optional={optional} hint={hint} error={error}>
      {(ties) => (
        <div className="relative">
          <input {...ties} className={clsx(inputStyle, end && 'pr-12', className)} {...props} />
          {end && <div className="absolute inset-y-0 right-0 grid place-items-center">{end}</div>}
        </div>
      )}
    </Field>
  );
}

export function TextArea({
  label,
  labelHidden,
  optional,
  hint,
  error,
  ...props
}: ComponentProps<'textarea'> & FieldTexts) {
  return (
    <Field label={label} labelHidden={labelHidden} optional={optional} hint={hint} error={error}>
      {(ties) => <textarea rows={4} {...ties} className={`${inputStyle} py-2`} {...props} />}
    </Field>
  );
}

export function CodeField(props: Omit<ComponentProps<typeof TextField>, 'label'>) {
  return (
    <TextField
      label={messages.auth.code}
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      required
      {...props}
    />
  );
}
