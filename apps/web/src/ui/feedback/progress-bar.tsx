import clsx from 'clsx';

type ProgressProps = {
  label: string;
  valueText: string;
  /** From 0 to 100; undefined for an indeterminate bar. */
  percent?: number | undefined;
};

/** The bar without visible text. `className` sets its height. */
export function ProgressTrack({ label, valueText, percent, className }: ProgressProps & { className: string }) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      aria-valuetext={valueText}
      className={clsx('overflow-hidden rounded-full bg-sunken', className)}
    >
      <div
        className={clsx(
          'h-full rounded-full bg-accent transition-[width]',
          percent === undefined && 'w-1/4 animate-sweep',
        )}
        style={percent === undefined ? undefined : { width: `${percent}%` }}
      />
    </div>
  );
}

export function ProgressBar(props: ProgressProps) {
  return (
    <div className="grid content-start gap-1.5">
      <div className="flex items-baseline justify-between gap-3 text-sm">
        <span>{props.label}</span>
        <span className="text-muted tabular-nums">{props.valueText}</span>
      </div>
      <ProgressTrack {...props} className="h-1.5" />
    </div>
  );
}
