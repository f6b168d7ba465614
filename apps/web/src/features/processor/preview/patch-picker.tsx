import { type KeyboardEvent, type MouseEvent, useId } from 'react';
import type { Size } from '../../../lib/format/format.ts';
import { processorMessages } from '../messages.ts';
import { movePoint, type Patch, type Point } from './patch.ts';

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

/** The image with the patch marked. A click or the arrow keys move it. */
export function PatchPicker({ url, size, point, patch, onPoint, small }: PatchPickerProps) {
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
        {text.placeHint}
        <span className="sr-only">{` ${text.placeValue(patch.left, patch.top)}`}</span>
      </p>
    </div>
  );
}
