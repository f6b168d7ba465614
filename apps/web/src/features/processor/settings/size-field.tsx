import type { Tier } from '@uprez/contracts/policy/plans';
import type { Size } from '../../../lib/format/format.ts';
import { linkStyle } from '../../../ui/controls/button.tsx';
import { FactorField } from '../../../ui/recipe/factor-field.tsx';
import { processorMessages } from '../messages.ts';
import { meterOfEngine } from './recipe-of.ts';
import { maxFactor, type Settings, useSettings } from './settings-store.ts';
import { emptyTarget } from './target.ts';
import { TargetFields } from './target-fields.tsx';

const text = processorMessages.target;
const set = useSettings.setState;

type SizeFieldProps = { settings: Settings; tier: Tier; signedIn: boolean; size: Size | undefined };

/** The size of the result: a factor or an exact size. */
export function SizeField({ settings, tier, signedIn, size }: SizeFieldProps) {
  const { target, scaleFactor } = settings;
  return (
    <div className="grid gap-1">
      {target ? (
        <TargetFields value={target} onChange={(next) => set({ target: next })} />
      ) : (
        <FactorField
          value={scaleFactor}
          onChange={(next) => set({ scaleFactor: next })}
          max={maxFactor(signedIn)}
          tier={tier}
          signedIn={signedIn}
          size={size}
          by={meterOfEngine(settings)}
          onStandard={() => set({ engine: 'standard' })}
        />
      )}
      <button
        type="button"
        className={`${linkStyle} justify-self-start px-0! text-xs`}
        onClick={() => set({ target: target ? undefined : emptyTarget('box') })}
      >
        {target ? text.close : text.open}
      </button>
    </div>
  );
}
