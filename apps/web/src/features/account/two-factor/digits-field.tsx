import clsx from 'clsx';
import { OTPInput, REGEXP_ONLY_DIGITS } from 'input-otp';
import { useFocus } from '../../../lib/layout/use-focus.ts';
import { Field } from '../../../ui/controls/field.tsx';

const length = 6;

type DigitsFieldProps = { label: string; name: string; error: string | undefined; onComplete: () => void };

/** Six digits, each in its box. It takes the focus where it appears, and pasted codes with their spaces. */
export function DigitsField({ label, name, error, onComplete }: DigitsFieldProps) {
  const input = useFocus<HTMLInputElement>();
  return (
    <Field label={label} error={error}>
      {(ties) => (
        <OTPInput
          {...ties}
          ref={input}
          name={name}
          maxLength={length}
          minLength={length}
          required
          inputMode="numeric"
          autoComplete="one-time-code"
          pattern={REGEXP_ONLY_DIGITS}
          pasteTransformer={(pasted) => pasted.replace(/\D/g, '')}
          onComplete={onComplete}
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
