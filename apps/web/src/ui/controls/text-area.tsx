import type { ComponentProps } from 'react';
import { Field, type FieldTexts, inputStyle } from './field.tsx';

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
