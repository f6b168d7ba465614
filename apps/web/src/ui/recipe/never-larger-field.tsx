import { useId } from 'react';
import { Checkbox } from '../controls/checkbox.tsx';
import { recipeMessages } from './messages.ts';

const text = recipeMessages.neverLarger;

type NeverLargerFieldProps = { checked: boolean; onChange: (change: { neverLarger: boolean }) => void };

/** Whether images are returned as they are instead of results that are larger files. */
export function NeverLargerField({ checked, onChange }: NeverLargerFieldProps) {
  const id = useId();
  return (
    <div className="grid gap-1">
      <Checkbox
        label={text.label}
        describedBy={id}
        checked={checked}
        onChange={(next) => onChange({ neverLarger: next })}
      />
      <p id={id} className="text-muted text-xs">
        {text.hint}
      </p>
    </div>
  );
}
