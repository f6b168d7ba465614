import type { ReactNode } from 'react';
import { HandleRoot, Item, Provider, Root } from 'react-compare-slider/components';
import { useReactCompareSlider } from 'react-compare-slider/hooks';
import { messages } from '../../messages.ts';
import { LogoMark } from '../layout/logo-mark.tsx';
import { type LabelText, LayerLabel } from './layer-label.tsx';

type CompareSliderProps = {
  before: ReactNode;
  after: ReactNode;
  beforeLabel: LabelText;
  afterLabel: LabelText;
  /** Only the divider receives pointer events. */
  passThrough?: boolean;
};

/** Two layers of the same size with a movable divider. Arrow keys move it too. */
export function CompareSlider({ before, after, beforeLabel, afterLabel, passThrough = false }: CompareSliderProps) {
  const slider = useReactCompareSlider({ onlyHandleDraggable: passThrough ? true : undefined });
  return (
    <Provider {...slider}>
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
