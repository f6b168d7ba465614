import { Check } from 'lucide-react';
import { type ReactNode, type Ref, useId } from 'react';

type CheckboxProps = {
  label: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
  required?: boolean;
  describedBy?: string;
  error?: string | undefined;
  ref?: Ref<HTMLInputElement>;
};

export function Checkbox({ label, checked, onChange, error, describedBy, ...input }: CheckboxProps) {
  const id = useId();
  return (
    <div className="grid gap-1">
      <label className="flex min-h-6 items-start gap-2.5 text-sm has-disabled:opacity-50">
        <span className="relative mt-px grid size-5 shrink-0 place-items-center">
          <input
            type="checkbox"
            {...input}
            checked={checked}
            onChange={(event) => onChange(event.target.checked)}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? id : describedBy}
            className="peer absolute inset-0 appearance-none rounded-small border border-edge bg-surface transition-colors checked:border-accent checked:bg-accent aria-invalid:border-danger"
          />
          <Check
            aria-hidden="true"
            strokeWidth={2.5}
            className="pointer-events-none relative size-3.5 text-on-accent opacity-0 peer-checked:opacity-100"
          />
        </span>
        <span className="min-w-0">{label}</span>
      </label>
      {error && (
        <p id={id} className="text-danger text-sm">
          {error}
        </p>
      )}
    </div>
  );
}
