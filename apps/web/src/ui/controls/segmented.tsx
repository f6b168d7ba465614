import { Lock } from 'lucide-react';
import { type ReactNode, useId } from 'react';

type SegmentedProps<T extends string> = {
  legend: string;
  legendHidden?: boolean;
  /**
   * `locked`: disabled with a lock, because the plan doesn't include it. With `wraps`, a wide option spans two of three
   * columns to fill the last row.
   */
  options: readonly {
    value: T;
    label: string;
    icon?: ReactNode;
    disabled?: boolean;
    locked?: boolean;
    wide?: boolean;
  }[];
  value: T;
  onChange: (value: T) => void;
  disabled?: boolean;
  /** Wraps the options into rows of three, or of four where there is room. */
  wraps?: boolean;
  /** Stacks the options vertically, for long labels. */
  stacks?: boolean;
  'aria-describedby'?: string | undefined;
};

/**
 * A group of radio buttons in one or more rows. If an option has an icon, its label is shown only in a tooltip and to
 * screen readers.
 */
export function Segmented<T extends string>({ legend, legendHidden, options, ...props }: SegmentedProps<T>) {
  const { value, onChange, disabled, wraps, stacks } = props;
  const name = useId();
  return (
    <fieldset
      disabled={disabled}
      aria-describedby={props['aria-describedby']}
      className={wraps ? '@container min-w-0' : 'min-w-0'}
    >
      <legend className={legendHidden ? 'sr-only' : 'mb-2 font-medium text-sm'}>{legend}</legend>
      <div
        className={`${wraps ? 'grid grid-cols-3 gap-0.5 @xs:grid-cols-4' : stacks ? 'grid' : 'flex max-sm:flex-wrap sm:grid sm:auto-cols-fr sm:grid-flow-col'} rounded-control border border-line bg-sunken p-0.5`}
      >
        {options.map((option) => (
          <label
            key={option.value}
            title={option.icon ? option.label : undefined}
            className="relative flex min-h-8 min-w-8 flex-1 items-center max-sm:basis-auto justify-center gap-1 rounded-small whitespace-nowrap px-3 data-wraps:px-1 text-muted text-sm transition-colors hover:text-ink has-checked:bg-raised has-checked:text-ink has-checked:outline has-checked:outline-line has-focus-visible:outline-2 has-focus-visible:outline-focus has-disabled:opacity-50 data-wide:col-span-2 @xs:data-wide:col-span-1 pointer-coarse:min-h-11"
            data-wide={option.wide || undefined}
            data-wraps={wraps || undefined}
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              disabled={option.disabled || option.locked}
              onChange={() => onChange(option.value)}
              className="absolute inset-0 cursor-[inherit] opacity-0"
            />
            {option.locked && <Lock aria-hidden="true" strokeWidth={1.75} className="size-3 shrink-0" />}
            {option.icon}
            <span className={option.icon ? 'sr-only' : undefined}>{option.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
