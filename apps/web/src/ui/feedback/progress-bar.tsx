import clsx from 'clsx';

type ProgressBarProps = {
  label: string;
  valueText: string /** From 0 to 100; undefined for an indeterminate bar. */;
  percent?: number;
};

export function ProgressBar({ label, valueText, percent }: ProgressBarProps) {
  return (
    <div className="grid content-start gap-1.5">
      <div className="flex items-baseline justify-between gap-3 text-sm">
        <span>{label}</span>
        <span className="text-muted tabular-nums">{valueText}</span>
      </div>
      <div
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={valueText}
        className="h-1.5 overflow-hidden rounded-full bg-sunken"
      >
        <div
          className={clsx(
            'h-full rounded-full bg-accent transition-[width]',
            percent === undefined && 'w-1/4 animate-sweep',
          )}
          style={percent === undefined ? undefined : { width: `${percent}%` }}
        />
      </div>
    </div>
  );
}
