import clsx from 'clsx';
import { Lock } from 'lucide-react';
import { Slider as Radix } from 'radix-ui';
import { type ComponentProps, useId } from 'react';
import { Tooltip } from './tooltip.tsx';

type RailProps = Omit<ComponentProps<typeof Radix.Thumb>, 'onChange'> & {
  value: number;
  min: number;
  max: number;
  onChange: (value: number) => void;
  disabled?: boolean;
};

/** The rail of a slider with its thumb, which receives the other props. */
export function Rail({ value, min, max, onChange, disabled, ...thumb }: RailProps) {
  return (
    <Radix.Root
      min={min}
      max={max}
      value={[value]}
      onValueChange={([next]) => next !== undefined && onChange(next)}
      disabled={disabled}
      className="relative flex h-9 grow touch-none items-center select-none data-disabled:opacity-50"
    >
      <Radix.Track className="relative h-1 grow rounded-full bg-line">
        <Radix.Range className="absolute h-full rounded-full bg-ink" />
      </Radix.Track>
      <Radix.Thumb
        {...thumb}
        className="block size-6 rounded-full border-[1.5px] border-ink bg-surface transition-[border-width] hover:border-[3px]"
      />
    </Radix.Root>
  );
}

const stopStyle = 'flex w-6 flex-col items-center gap-0.5 rounded-control py-0.5 text-center';

/** The number below a stop. A press moves the thumb there, unless the stop is `locked` for a reason. */
function Stop({
  stop,
  value,
  locked,
  onChange,
}: { stop: number; locked?: string | undefined } & Pick<RailProps, 'value' | 'onChange'>) {
  if (locked !== undefined) {
    return (
      <Tooltip text={locked}>
        <span className={stopStyle}>
          {stop}
          <Lock strokeWidth={1.75} className="size-3" />
        </span>
      </Tooltip>
    );
  }
  return (
    <button
      type="button"
      tabIndex={-1}
      onClick={() => onChange(stop)}
      className={clsx(stopStyle, 'hover:text-ink', stop === value && 'font-medium text-ink')}
    >
      {stop}
    </button>
  );
}

type SliderProps = Pick<RailProps, 'value' | 'min' | 'max' | 'onChange'> & {
  label: string;
  valueText: string;
  /** The first locked value. It and all higher values cannot be chosen. */
  lockedFrom?: number | undefined;
  /** Why a value is locked. Shown in the tooltip of each locked value, and below the slider for the first one. */
  lockedText?: (stop: number) => string;
};

export function Slider({ label, valueText, lockedFrom, lockedText = String, onChange, ...range }: SliderProps) {
  const { value, min, max } = range;
  const id = useId();
  const stops = Array.from({ length: max - min + 1 }, (_, index) => min + index);
  const highest = lockedFrom === undefined ? max : lockedFrom - 1;
  return (
    <div className="grid content-start gap-1">
      <Rail
        {...range}
        onChange={(next) => onChange(Math.min(next, highest))}
        aria-label={label}
        aria-valuetext={valueText}
        aria-valuemax={highest}
        aria-describedby={lockedFrom === undefined ? undefined : id}
      />
      <div aria-hidden="true" className="flex justify-between text-muted text-xs tabular-nums">
        {stops.map((stop) => (
          <Stop
            key={stop}
            stop={stop}
            value={value}
            locked={stop > highest ? lockedText(stop) : undefined}
            onChange={onChange}
          />
        ))}
      </div>
      {lockedFrom !== undefined && (
        <p id={id} className="mt-1 flex gap-1.5 text-muted text-xs">
          <Lock aria-hidden="true" strokeWidth={1.75} className="mt-0.5 size-3 shrink-0" />
          {lockedText(lockedFrom)}
        </p>
      )}
    </div>
  );
}
