import { Check, ChevronDown } from 'lucide-react';
import { Select as Radix } from 'radix-ui';
import { Field, type FieldTexts, inputStyle } from './field.tsx';
import { itemStyle, layerStyle } from './layer-style.ts';

type Option<T extends string> = { value: T; label: string; hint?: string; disabled?: boolean };
type SelectProps<T extends string> = Omit<FieldTexts, 'optional'> & {
  value: T;
  onChange: (value: T) => void;
  options: readonly Option<T>[];
  disabled?: boolean;
};

function Item<T extends string>({ value, label, hint, disabled }: Option<T>) {
  return (
    <Radix.Item value={value} disabled={disabled} className={`${itemStyle} pr-8`}>
      <span className="grid min-w-0">
        <Radix.ItemText>{label}</Radix.ItemText>
        {hint && <span className="text-muted text-xs">{hint}</span>}
      </span>
      <Radix.ItemIndicator className="absolute right-2">
        <Check aria-hidden="true" strokeWidth={1.75} className="size-4" />
      </Radix.ItemIndicator>
    </Radix.Item>
  );
}

export function Select<T extends string>({ value, onChange, options, disabled, ...texts }: SelectProps<T>) {
  return (
    <Field {...texts}>
      {(ties) => (
        <Radix.Root value={value} onValueChange={(next) => onChange(next as T)} disabled={disabled}>
          <Radix.Trigger {...ties} className={`${inputStyle} flex items-center justify-between gap-2 text-left`}>
            <span className="truncate">
              <Radix.Value />
            </span>
            <Radix.Icon>
              <ChevronDown aria-hidden="true" strokeWidth={1.75} className="size-4 text-muted" />
            </Radix.Icon>
          </Radix.Trigger>
          <Radix.Portal>
            <Radix.Content
              position="popper"
              sideOffset={4}
              className={`${layerStyle} max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) sm:max-w-[max(24rem,var(--radix-select-trigger-width))] p-1`}
            >
              <Radix.Viewport>
                {options.map((option) => (
                  <Item key={option.value} {...option} />
                ))}
              </Radix.Viewport>
            </Radix.Content>
          </Radix.Portal>
        </Radix.Root>
      )}
    </Field>
  );
}
