import { formatNames, type OutputFormat, outputFormats } from '@uprez/contracts/policy/image-formats';
import { may } from '@uprez/contracts/policy/may';
import type { Tier } from '@uprez/contracts/policy/plans';
import { Lock } from 'lucide-react';
import { useId } from 'react';
import { recipeMessages as text } from './messages.ts';
import { smallestPlanFor } from './smallest-plan-for.ts';

type FormatFieldProps = {
  value: OutputFormat;
  onChange: (format: OutputFormat) => void;
  tier: Tier;
  disabled?: boolean;
};

/** Chooses the file format. Formats beyond the plan are shown as locked. */
export function FormatField({ value, onChange, tier, disabled = false }: FormatFieldProps) {
  const name = useId();
  const locked = outputFormats.filter((format) => !may(tier, { what: 'format', format }).ok);
  const opener = locked[0] && smallestPlanFor(tier, { what: 'format', format: locked[0] });
  return (
    <fieldset disabled={disabled} aria-describedby={opener ? `${name}-locked` : undefined} className="min-w-0">
      <legend className="mb-2 font-medium text-sm">{text.format}</legend>
      <div className="grid grid-cols-3 gap-0.5 rounded-control border border-line bg-sunken p-0.5">
        {outputFormats.map((format) => (
          <label
            key={format}
            className="relative flex min-h-8 items-center justify-center gap-1 rounded-[6px] px-1 text-muted text-sm transition-colors hover:text-ink has-checked:bg-raised has-checked:text-ink has-checked:outline has-checked:outline-line has-focus-visible:outline-2 has-focus-visible:outline-focus has-disabled:opacity-60 pointer-coarse:min-h-10"
          >
            <input
              type="radio"
              name={name}
              value={format}
              checked={format === value}
              disabled={locked.includes(format)}
              onChange={() => onChange(format)}
              className="absolute inset-0 cursor-[inherit] opacity-0"
            />
            {locked.includes(format) && <Lock aria-hidden="true" strokeWidth={1.75} className="size-3" />}
            <span>{formatNames[format]}</span>
          </label>
        ))}
      </div>
      {opener && (
        <p id={`${name}-locked`} className="mt-1.5 text-muted text-xs">
          {text.formatsLocked(
            locked.map((format) => formatNames[format]),
            opener,
          )}
        </p>
      )}
    </fieldset>
  );
}
