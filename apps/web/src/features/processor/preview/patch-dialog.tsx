import { type EngineName, isAiEngine } from '@uprez/contracts/policy/engines';
import { may } from '@uprez/contracts/policy/may';
import type { Tier } from '@uprez/contracts/policy/plans';
import { useState } from 'react';
import { useEngines } from '../../../lib/api/queries.ts';
import type { Size } from '../../../lib/format/format.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Checkbox } from '../../../ui/controls/checkbox.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { processorMessages } from '../messages.ts';
import { type Settings, useSettings } from '../state/settings-store.ts';
import { patchAround } from './patch.ts';
import { PatchGrid } from './patch-grid.tsx';
import { PatchPicker } from './patch-picker.tsx';
import { usePatches } from './use-patches.ts';

const text = processorMessages.compare;
/** Factor of the comparison when the settings have an exact size: the factor of the networks. */
const usualFactor = 4;

type PatchDialogProps = { file: File; url: string; size: Size; settings: Settings; tier: Tier; onClose: () => void };

/** Engines that are available and allowed by the plan at a factor. The engine of `auto` comes first. */
function useChoices(tier: Tier, factor: number): EngineName[] {
  const { data: engines = [] } = useEngines();
  return engines
    .filter(({ available }) => available !== false)
    .map(({ name }) => name)
    .filter((name) => may(tier, { what: 'scale', by: isAiEngine(name) ? 'ai' : 'standard', factor }).ok);
}

export function PatchDialog({ file, url, size, settings, tier, onClose }: PatchDialogProps) {
  const [point, setPoint] = useState({ x: size.width / 2, y: size.height / 2 });
  const scaleFactor = settings.target ? usualFactor : settings.scaleFactor;
  const choices = useChoices(tier, scaleFactor);
  const [dropped, setDropped] = useState<readonly EngineName[]>([]);
  const { results, original, left, busy, make } = usePatches();
  const patch = patchAround(point, size);
  const engines = choices.filter((name) => !dropped.includes(name));
  const use = (engine: EngineName) => {
    useSettings.setState({ engine });
    onClose();
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={text.title} description={text.about} wide>
      <PatchPicker
        url={url}
        size={size}
        point={point}
        patch={patch}
        onPoint={setPoint}
        small={original !== undefined}
      />
      <fieldset className="flex flex-wrap items-center gap-x-5 gap-y-2">
        <legend className="sr-only">{text.engines}</legend>
        {choices.map((name) => (
          <Checkbox
            key={name}
            label={name}
            checked={!dropped.includes(name)}
            onChange={(on) => setDropped(on ? dropped.filter((other) => other !== name) : [...dropped, name])}
          />
        ))}
      </fieldset>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button
          pending={busy}
          pendingText={text.making}
          disabled={engines.length === 0}
          onClick={() => void make({ file, patch, engines, scaleFactor })}
        >
          {text.make(engines.length)}
        </Button>
        {left !== undefined && <p className="text-muted text-sm tabular-nums">{text.left(left)}</p>}
      </div>
      {original && <PatchGrid original={original} results={results} onUse={use} />}
    </Dialog>
  );
}
