import clsx from 'clsx';
import { Lock } from 'lucide-react';
import { Slider as Radix } from 'radix-ui';
import { type ComponentProps, useId } from 'react';
import { Tooltip } from './tooltip.tsx';

type SliderProps = {
  label: string;
  value: number;
  valueText: string;
  min: number;
  max: number;
  onChange: (value: number) => void;
  disabled?: boolean;
  /** The first locked value. It and all higher values cannot be chosen. */
  lockedFrom?: number | undefined;
  /** Why a value is locked. Shown in the tooltip of each locked value, and below the slider for the first one. */
  lockedText?: string | ((stop: number) => string) | undefined;
};

type RailProps = Omit<ComponentProps<typeof Radix.Thumb>, 'onChange'> &
  Pick<SliderProps, 'value' | 'min' | 'max' | 'onChange' | 'disabled'>;

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

/** The number below a stop. A press moves the thumb there. */
function Stop({
  stop,
  locked,
  ...props
}: { stop: number; locked: string | undefined; isHere: boolean } & Pick<SliderProps, 'onChange' | 'disabled'>) {
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
      disabled={props.disabled}
      onClick={() => props.onChange(stop)}
      className={clsx(stopStyle, 'hover:text-ink', props.isHere && 'font-medium text-ink')}
    >
      {stop}
    </button>
  );
}

export function Slider({
  label,
  value,
  valueText,
  min,
  max,
  onChange,
  disabled,
  lockedFrom = max + 1,
  lockedText,
}: SliderProps) {
  const id = useId();
  const stops = Array.from({ length: max - min + 1 }, (_, index) => min + index);
  const highest = Math.min(max, lockedFrom - 1);
  const reason = (stop: number) => (typeof lockedText === 'function' ? lockedText(stop) : (lockedText ?? ''));
  const isLocked = lockedFrom <= max;
  return (
    <div className="grid content-start gap-1">
      <Rail
        min={min}
        max={max}
        value={value}
        onChange={(next) => onChange(Math.min(next, highest))}
        disabled={disabled}
        aria-label={label}
        aria-valuetext={valueText}
        aria-valuemax={highest}
        aria-describedby={isLocked ? id : undefined}
      />
      <div aria-hidden="true" className="flex justify-between text-muted text-xs tabular-nums">
        {stops.map((stop) => (
          <Stop
            key={stop}
            stop={stop}
            isHere={stop === value}
            locked={stop >= lockedFrom ? reason(stop) : undefined}
            onChange={onChange}
            disabled={disabled}
          />
        ))}
      </div>
      {isLocked && (
        <p id={id} className="mt-1 flex gap-1.5 text-muted text-xs">
          <Lock aria-hidden="true" strokeWidth={1.75} className="mt-0.5 size-3 shrink-0" />
          {reason(lockedFrom)}
        </p>
      )}
    </div>
  );
}
