import { type ComponentProps, useId } from 'react';

type TextFieldProps = ComponentProps<'input'> & {
  label: string;
  /** The word shown beside the label of a field that may stay empty. */
  optional?: string;
  /** Why the value was refused. */
  error?: string | undefined;
};

/** A labelled input with its error below. */
export function TextField({ label, optional, error, ...props }: TextFieldProps) {
  const id = useId();
  return (
    <div className="grid content-start gap-1.5">
      <label htmlFor={id} className="font-medium text-sm">
        {`${label} `}
        {optional && <span className="ml-0.5 font-normal text-muted">{optional}</span>}
      </label>
      <input
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        className="control w-full rounded-control border border-edge bg-surface px-3 text-base aria-invalid:border-danger sm:text-sm"
        {...props}
      />
      {error && (
        <p id={`${id}-error`} className="text-danger text-sm">
          {error}
        </p>
      )}
    </div>
  );
}
