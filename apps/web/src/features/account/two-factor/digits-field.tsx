import clsx from 'clsx';
import { OTPInput, REGEXP_ONLY_DIGITS } from 'input-otp';
import { type RefCallback, useEffect, useRef } from 'react';
import { Field } from '../../../ui/controls/field.tsx';

const length = 6;

type DigitsFieldProps = {
  ref: RefCallback<HTMLInputElement>;
  label: string;
  name: string;
  value: string;
  onChange: (value: string) => void;
  onBlur: () => void;
  error: string | undefined;
  onComplete: () => void;
};

/** Six digits, each in a box. Takes the focus when it appears, and accepts pasted codes with spaces. */
export function DigitsField({ ref, label, error, ...props }: DigitsFieldProps) {
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
          minLength={length}
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
