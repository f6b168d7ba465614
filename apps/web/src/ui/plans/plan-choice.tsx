import { currentPlans, type Tier } from '@uprez/contracts/policy/plans/plans';
import { Checkbox } from '../controls/checkbox.tsx';

/** `onChange` receives the chosen plans in the order of `tiers`. */
export function PlanChoice<Offered extends Tier>({
  label,
  hint,
  tiers,
  chosen,
  onChange,
}: {
  label: string;
  hint: string;
  tiers: readonly Offered[];
  chosen: readonly Tier[];
  onChange: (chosen: Offered[]) => void;
}) {
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 font-medium text-sm">{label}</legend>
      {tiers.map((tier) => (
        <Checkbox
          key={tier}
          label={currentPlans[tier].name}
          checked={chosen.includes(tier)}
          onChange={(isChosen) => onChange(tiers.filter((one) => (one === tier ? isChosen : chosen.includes(one))))}
        />
      ))}
      <p className="text-muted text-xs">{hint}</p>
    </fieldset>
  );
}
