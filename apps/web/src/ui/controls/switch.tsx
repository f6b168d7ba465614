type SwitchProps = {
  label: string;
  labelHidden?: boolean;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
};

export function Switch({ label, labelHidden, checked, onChange, disabled }: SwitchProps) {
  return (
    <label className="inline-flex min-h-6 items-center gap-2.5 text-sm has-disabled:opacity-50">
      <span className="relative inline-block h-6 w-10 shrink-0">
        <input
          type="checkbox"
          role="switch"
          aria-checked={checked}
          checked={checked}
          disabled={disabled}
          onChange={(event) => onChange(event.target.checked)}
          className="peer absolute inset-0 appearance-none rounded-full border border-edge bg-sunken transition-colors checked:border-accent checked:bg-accent"
        />
        <span className="pointer-events-none absolute top-1 left-1 size-4 rounded-full bg-edge transition-[translate,background-color] peer-checked:translate-x-4 peer-checked:bg-on-accent" />
      </span>
      <span className={labelHidden ? 'sr-only' : undefined}>{label}</span>
    </label>
  );
}
