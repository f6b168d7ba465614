import { type ReactNode, useId } from 'react';

export type FieldTexts = {
  label: string;
  labelHidden?: boolean;
  /** Shown next to the label of an optional field. */
  optional?: string;
  hint?: ReactNode;
  error?: string | undefined;
};

type ControlProps = { id: string; 'aria-invalid': true | undefined; 'aria-describedby': string | undefined };
type FieldProps = FieldTexts & { children: (ties: ControlProps) => ReactNode };

export const inputStyle =
  'control w-full rounded-control border border-edge bg-surface px-3 text-base disabled:opacity-50 aria-invalid:border-danger sm:text-sm';

export function Field({ label, labelHidden, optional, hint, error, children }: FieldProps) {
  const id = useId();
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-1.5">
      <label htmlFor={id} className={labelHidden ? 'sr-only' : 'font-medium text-sm'}>
        {`${label} `}
        {optional && <span className="ml-0.5 font-normal text-muted">{optional}</span>}
      </label>
      {children({ id, 'aria-invalid': error ? true : undefined, 'aria-describedby': describedBy })}
      {hint && (
        <div id={`${id}-hint`} className="text-muted text-xs">
          {hint}
        </div>
      )}
      {error && (
        <p id={`${id}-error`} className="text-danger text-sm">
          {error}
        </p>
      )}
    </div>
  );
}
