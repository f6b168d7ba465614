import { type EngineName, engineDescriptions, engineNames } from '@uprez/contracts/policy/engines';
import { may } from '@uprez/contracts/policy/may';
import { plans, type Tier } from '@uprez/contracts/policy/plans';
import { useEngines } from '../../lib/api/queries.ts';
import { Select } from '../controls/select.tsx';
import { recipeMessages as text } from './messages.ts';
import { limitedBy, type RecipeFieldProps, smallestPlanFor } from './recipe-settings.ts';

function whyLocked(name: EngineName, tier: Tier, factor: number): string | undefined {
  const by = limitedBy(name);
  const request = { what: 'scale', by, factor } as const;
  if (may(tier, request).ok) return undefined;
  return text.engineLocked(plans[tier].maxFactor[by], smallestPlanFor(tier, request));
}

export function EngineField({ settings: { engine: value, scaleFactor }, onChange, tier }: RecipeFieldProps) {
  const { data: engines = [] } = useEngines();
  const autoEngine = engines.find(({ isAuto }) => isAuto)?.name;
  const describe = (name: EngineName) => {
    const known = engines.find((engine) => engine.name === name);
    const reason = known?.available === false ? text.missing : whyLocked(name, tier, scaleFactor);
    const speed = known?.pixelsPerSecond ? ` ${text.speed(known.pixelsPerSecond)}` : '';
    return {
      value: name,
      label: name,
      hint: reason ?? engineDescriptions[name] + speed,
      disabled: reason !== undefined,
    };
  };
  const autoReason = whyLocked(autoEngine ?? 'photo-fast', tier, scaleFactor);
  const auto = { label: text.auto, hint: autoReason ?? text.autoSays(autoEngine), disabled: autoReason !== undefined };
  const options = [{ value: 'auto' as const, ...auto }, ...engineNames.map(describe)];
  const hint = options.find((option) => option.value === value)?.hint;
  return (
    <Select
      label={text.engine}
      value={value}
      onChange={(engine) => onChange({ engine })}
      options={options}
      hint={hint}
    />
  );
}
