import type { EngineName } from '@uprez/contracts/policy/engines';
import { may } from '@uprez/contracts/policy/may';
import type { Plan } from '@uprez/contracts/policy/plan-versions';
import { type KeyboardEvent, type MouseEvent, useId, useState } from 'react';
import { useEngines } from '../../../lib/api/queries.ts';
import type { Size } from '../../../lib/format/format.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Checkbox } from '../../../ui/controls/checkbox.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { limitedBy } from '../../../ui/recipe/recipe-settings.ts';
import { processorMessages } from '../messages.ts';
import { type Settings, useSettings } from '../state/settings-store.ts';
import { movePoint, type Patch, type Point, patchAround } from './patch.ts';
import { PatchRow } from './patch-row.tsx';
import { usePatches } from './use-patches.ts';

const text = processorMessages.compare;

type PatchPickerProps = {
  url: string;
  size: Size;
  point: Point;
  patch: Patch;
  onPoint: (point: Point) => void /** Makes room for the results. */;
  small: boolean;
};

const percent = (part: number, whole: number) => `${(part / whole) * 100}%`;

function PatchPicker({ url, size, point, patch, onPoint, small }: PatchPickerProps) {
  const hint = useId();
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    // Key presses have no position.
    if (event.detail === 0) return;
    const box = event.currentTarget.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * size.width;
    const y = ((event.clientY - box.top) / box.height) * size.height;
    onPoint({ x, y });
  };
  const steer = (event: KeyboardEvent) => {
    const next = movePoint(point, event.key, size);
    if (!next) return;
    event.preventDefault();
    onPoint(next);
  };
  return (
    <div className="grid justify-items-center gap-1.5 rounded-card border border-line bg-stage p-3">
      <button
        type="button"
        aria-label={text.place}
        aria-describedby={hint}
        onClick={press}
        onKeyDown={steer}
        className="checkerboard relative block cursor-crosshair overflow-hidden"
      >
        <img
          src={url}
          alt=""
          decoding="async"
          draggable={false}
          className={`block max-w-full ${small ? 'max-h-32' : 'max-h-64'}`}
        />
        <span
          className="pointer-events-none absolute border-2 border-white shadow-[0_0_0_1px_#000,0_0_0_999px_rgb(0_0_0/0.35)]"
          style={{
            left: percent(patch.left, size.width),
            top: percent(patch.top, size.height),
            width: percent(patch.width, size.width),
            height: percent(patch.height, size.height),
          }}
        />
      </button>
      <p id={hint} className="text-center text-muted text-xs">
        <span className="pointer-coarse:hidden">{text.placeHint}</span>
        <span className="hidden pointer-coarse:inline">{text.placeTouchHint}</span>
        <span className="sr-only">{` ${text.placeValue(patch.left, patch.top)}`}</span>
      </p>
    </div>
  );
}

/** Factor of the comparison when the settings have an exact size: the factor of the networks. */
const usualFactor = 4;

type PatchDialogProps = { file: File; url: string; size: Size; settings: Settings; ownPlan: Plan; onClose: () => void };

/** Engines that are available and allowed by the plan at a factor. The engine of `auto` comes first. */
function useChoices(ownPlan: Plan, factor: number): EngineName[] {
  const { data: engines = [] } = useEngines();
  return engines
    .filter(({ available }) => available !== false)
    .map(({ name }) => name)
    .filter((name) => may(ownPlan, { what: 'scale', by: limitedBy(name), factor }).ok);
}

/** Why no previews can be created. Without any left, the server says when there are more. */
function whyNone(engines: number, left: number | undefined): string | undefined {
  if (engines === 0) return text.noEngine;
  return left && engines > left ? text.tooMany(left) : undefined;
}

export function PatchDialog({ file, url, size, settings, ownPlan, onClose }: PatchDialogProps) {
  const reasonId = useId();
  const [point, setPoint] = useState({ x: size.width / 2, y: size.height / 2 });
  const scaleFactor = settings.target ? usualFactor : settings.scaleFactor;
  const choices = useChoices(ownPlan, scaleFactor);
  const [dropped, setDropped] = useState<readonly EngineName[]>([]);
  const { results, original, left, busy, make } = usePatches();
  const patch = patchAround(point, size);
  const engines = choices.filter((name) => !dropped.includes(name));
  const reason = whyNone(engines.length, left);
  const use = (engine: EngineName) => {
    useSettings.setState({ engine });
    onClose();
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={text.title} description={text.about} wide="screen">
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
          disabled={reason !== undefined}
          aria-describedby={reason ? reasonId : undefined}
          onClick={() => void make({ file, patch, engines, scaleFactor })}
        >
          {text.make(engines.length)}
        </Button>
        {reason && (
          <p id={reasonId} className="text-muted text-sm">
            {reason}
          </p>
        )}
        {left !== undefined && <p className="text-muted text-sm tabular-nums">{text.left(left)}</p>}
      </div>
      {original && <PatchRow key={original.url} original={original} results={results} onUse={use} />}
    </Dialog>
  );
}
