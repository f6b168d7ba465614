import type { ReactNode } from 'react';
import { HandleRoot, Item, Provider, Root } from 'react-compare-slider/components';
import { useReactCompareSlider } from 'react-compare-slider/hooks';
import { messages } from '../messages.ts';
import { LogoMark } from './logo-mark.tsx';

const labelStyle =
  'pointer-events-none absolute top-3 z-10 max-w-[calc(50%-1.25rem)] rounded-control bg-ink px-2 py-1 text-page text-xs tabular-nums';

/** What a layer is, and its sizes, which small screens leave to the caption. */
export type LabelText = { name: string; facts: string };

function Label({ name, facts, side }: LabelText & { side: 'left-3' | 'right-3' }) {
  return (
    <span className={`${labelStyle} ${side}`}>
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
  /** Only the divider takes the pointer; what is below gets everything else. */
  passThrough?: boolean;
};

/** Two layers of the same size and a divider between them, in the middle at first; arrow keys move it too. */
export function CompareSlider({ before, after, beforeLabel, afterLabel, passThrough = false }: CompareSliderProps) {
  const slider = useReactCompareSlider({ onlyHandleDraggable: passThrough ? true : undefined });
  return (
    <Provider {...slider}>
      <Root
        style={{ width: '100%', height: '100%', pointerEvents: passThrough ? 'none' : 'auto', cursor: 'ew-resize' }}
      >
        <Item item="itemOne" className="relative">
          {before}
          <Label {...beforeLabel} side="left-3" />
        </Item>
        <Item item="itemTwo" className="relative">
          {after}
          <Label {...afterLabel} side="right-3" />
        </Item>
        <HandleRoot aria-label={messages.viewer.divider} className="group">
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
