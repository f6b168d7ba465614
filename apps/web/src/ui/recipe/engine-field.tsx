import {
  type EngineName,
  engineDescriptions,
  engineNames,
  isAiEngine,
  type RequestedEngine,
} from '@uprez/contracts/policy/engines';
import { may } from '@uprez/contracts/policy/may';
import { plans, type Tier } from '@uprez/contracts/policy/plans';
import { useEngines } from '../../lib/api/queries.ts';
import { Select } from '../controls/select.tsx';
import { recipeMessages as text } from './messages.ts';
import { smallestPlanFor } from './smallest-plan-for.ts';

type EngineFieldProps = {
  value: RequestedEngine;
  onChange: (engine: RequestedEngine) => void;
  tier: Tier;
  factor: number;
  disabled?: boolean;
};

/** Why a plan does not allow an engine at a factor. */
function whyLocked(name: EngineName, tier: Tier, factor: number): string | undefined {
  const by = isAiEngine(name) ? 'ai' : 'standard';
  const request = { what: 'scale', by, factor } as const;
  if (may(tier, request).ok) return undefined;
  return text.engineLocked(plans[tier].maxFactor[by], smallestPlanFor(tier, request));
}

/** Chooses the engine, with purpose, speed, and availability of each. */
export function EngineField({ value, onChange, tier, factor, disabled = false }: EngineFieldProps) {
  const { data: engines = [] } = useEngines();
  const autoEngine = engines.find(({ isAuto }) => isAuto)?.name;
  const describe = (name: EngineName) => {
    const known = engines.find((engine) => engine.name === name);
    const reason = known?.available === false ? text.missing : whyLocked(name, tier, factor);
    const speed = known?.pixelsPerSecond ? ` ${text.speed(known.pixelsPerSecond)}` : '';
    return {
      value: name,
      label: name,
      hint: reason ?? engineDescriptions[name] + speed,
      disabled: reason !== undefined,
    };
  };
  const autoReason = whyLocked(autoEngine ?? 'photo-fast', tier, factor);
  const options: { value: RequestedEngine; label: string; hint: string; disabled: boolean }[] = [
    {
      value: 'auto',
      label: text.auto,
      hint: autoReason ?? text.autoSays(autoEngine),
      disabled: autoReason !== undefined,
    },
    ...engineNames.map(describe),
  ];
  const hint = options.find((option) => option.value === value)?.hint;
  return (
    <Select label={text.engine} value={value} onChange={onChange} options={options} hint={hint} disabled={disabled} />
  );
}
