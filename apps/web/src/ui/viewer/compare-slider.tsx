import type { KeyboardEvent, ReactNode } from 'react';
import { HandleRoot, Item, Provider, Root } from 'react-compare-slider/components';
import { useReactCompareSlider } from 'react-compare-slider/hooks';
import { messages } from '../../messages.ts';
import { LogoMark } from '../layout/logo-mark.tsx';

/** Name of an image and details such as its size. Small screens hide the details. */
export type LabelText = { name: string; facts: string };

const sides = { left: 'left-3', right: 'right-3' } as const;

type LayerLabelProps = LabelText & {
  side: keyof typeof sides;
  /** Whether no other label is on the same line. */
  alone?: boolean;
};

export function LayerLabel({ name, facts, side, alone }: LayerLabelProps) {
  return (
    <span
      className={`pointer-events-none absolute top-3 z-10 rounded-control bg-ink px-2 py-1 text-page text-xs tabular-nums ${sides[side]} ${alone ? 'max-w-[calc(100%-1.5rem)]' : 'max-w-[calc(50%-1.25rem)]'}`}
    >
      {name}
      <span className="max-sm:hidden">{` · ${facts}`}</span>
    </span>
  );
}

type CompareSliderProps = {
  before: ReactNode;
  after: ReactNode;
  beforeLabel: LabelText;
  afterLabel: LabelText;
  /** Whether only the divider receives pointer events. */
  passThrough?: boolean;
};

/** Steps by key, as a percentage of the width (WAI-ARIA slider pattern). */
const keySteps: Record<string, number> = {
  ArrowLeft: -5,
  ArrowDown: -5,
  ArrowRight: 5,
  ArrowUp: 5,
  PageDown: -20,
  PageUp: 20,
  Home: -100,
  End: 100,
};

const noop = () => {};

export function CompareSlider({ before, after, beforeLabel, afterLabel, passThrough = false }: CompareSliderProps) {
  const slider = useReactCompareSlider({ onlyHandleDraggable: passThrough ? true : undefined });
  const press = (event: KeyboardEvent) => {
    const step = keySteps[event.key];
    // With Shift, the arrow keys move the view instead.
    if (step === undefined || event.shiftKey) return;
    event.preventDefault();
    slider.setPosition(slider.position.current + step);
  };
  return (
    // Disables the library's key handler, which supports only the arrow keys and only after its second render.
    <Provider {...slider} onHandleRootKeyDown={noop}>
      <Root
        style={{ width: '100%', height: '100%', pointerEvents: passThrough ? 'none' : 'auto', cursor: 'ew-resize' }}
      >
        <Item item="itemOne" className="relative">
          {before}
          <LayerLabel {...beforeLabel} side="left" />
        </Item>
        <Item item="itemTwo" className="relative">
          {after}
          <LayerLabel {...afterLabel} side="right" />
        </Item>
        <HandleRoot aria-label={messages.viewer.divider} className="group" onKeyDown={press}>
          <div className="pointer-events-auto relative h-full w-6 cursor-ew-resize touch-none">
            <div className="absolute inset-y-0 left-1/2 w-0.5 -translate-x-1/2 bg-white shadow-[0_0_0_1px_rgb(0_0_0/0.35)]" />
            <div className="absolute top-1/2 left-1/2 grid size-11 -translate-1/2 place-items-center rounded-full bg-white text-black shadow-[0_0_0_1px_rgb(0_0_0/0.35)] outline-offset-2 group-focus-visible:outline-3 group-focus-visible:outline-accent">
              <LogoMark className="size-5" />
            </div>
          </div>
        </HandleRoot>
      </Root>
    </Provider>
  );
}
