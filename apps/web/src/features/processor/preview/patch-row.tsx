import type { EngineName } from '@uprez/contracts/policy/engines';
import { type ReactNode, type Ref, useRef } from 'react';
import { formatDuration, type Size } from '../../../lib/format/format.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { LogoMark } from '../../../ui/layout/logo-mark.tsx';
import { ImageLayer } from '../../../ui/viewer/image-layer.tsx';
import { useElementSize, useOpenedZoom } from '../../../ui/viewer/use-opened-zoom.ts';
import { ZoomSurface } from '../../../ui/viewer/zoom.tsx';
import { ZoomBar } from '../../../ui/viewer/zoom-toolbar.tsx';
import { processorMessages } from '../messages.ts';
import type { PatchResult, PatchResults } from './use-patches.ts';

const text = processorMessages.compare;

type CellProps = { ref?: Ref<HTMLDivElement>; name: ReactNode; action?: ReactNode; children: ReactNode };

function Cell({ ref, name, action, children }: CellProps) {
  return (
    <figure className="grid content-start gap-2">
      <div ref={ref} className="relative grid h-[min(22rem,40svh)] place-items-center overflow-hidden bg-stage">
        {children}
      </div>
      <figcaption className="grid justify-items-start gap-1.5 text-sm">
        {name}
        {action}
      </figcaption>
    </figure>
  );
}

function CellName({ engine, result }: { engine: EngineName; result: PatchResult }) {
  return (
    <span>
      <span className="font-medium">{engine}</span>
      {result.state === 'made' && (
        <span className="text-muted tabular-nums">{` ${text.seconds(formatDuration(result.ms))}`}</span>
      )}
    </span>
  );
}

type PatchRowProps = {
  original: { url: string; size: Size };
  results: PatchResults;
  onUse: (engine: EngineName) => void;
};

/** The patch and its results next to each other, at 1:1 and with one zoom for all. */
export function PatchRow({ original: { url, size }, results, onUse }: PatchRowProps) {
  const row = useRef<HTMLDivElement>(null);
  const { ref: firstCell, box } = useElementSize<HTMLDivElement>();
  const { zoom, base, place } = useOpenedZoom({ ref: row, pane: box, size, margin: 0 }, { x: 0.5, y: 0.5 });
  const made = Object.entries(results) as [EngineName, PatchResult][];
  const view = (index: number, image: { url: string; alt: string }) =>
    box && (
      <>
        <ZoomSurface ref={zoom.register(index)} base={base} scale={zoom.scale} onTransform={zoom.follow} />
        <div className="pointer-events-none absolute inset-0">
          <ImageLayer image={image} place={place} />
        </div>
      </>
    );
  return (
    <div className="grid min-w-0 gap-3">
      <ZoomBar percent={zoom.percent} onZoom={zoom.zoomTo} onFit={zoom.fitAll} onPan={zoom.panBy} />
      <div ref={row} className="grid auto-cols-[minmax(11.5rem,1fr)] grid-flow-col gap-3 overflow-x-auto pb-1">
        <Cell ref={firstCell} name={text.originalName}>
          {view(0, { url, alt: text.original })}
        </Cell>
        {made.map(([engine, result], index) => (
          <Cell
            key={engine}
            name={<CellName engine={engine} result={result} />}
            action={
              result.state === 'made' && (
                <Button look="secondary" size="small" onClick={() => onUse(engine)}>
                  {text.use(engine)}
                </Button>
              )
            }
          >
            {result.state === 'made' && view(index + 1, { url: result.url, alt: text.patchOf(engine) })}
            {result.state === 'making' && <LogoMark animated className="size-8 text-muted" />}
            {result.state === 'failed' && (
              <div className="p-3">
                <Notice kind="danger">{result.sentence}</Notice>
              </div>
            )}
          </Cell>
        ))}
      </div>
    </div>
  );
}
