import { isAiEngine, type JobEngine } from '@uprez/contracts/policy/images/engines';
import { strengthRange } from '@uprez/contracts/policy/images/image-formats';
import { checkPlanLimits } from '@uprez/contracts/policy/plans/check-plan-limits';
import type { Plan } from '@uprez/contracts/policy/plans/plan-versions';
import type { DetailMode } from '@uprez/contracts/recipe/recipe-choices';
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { api } from '../../../lib/api/api.ts';
import { describeError } from '../../../lib/api/api-errors.ts';
import { useEngines } from '../../../lib/api/queries.ts';
import { formatDuration, type Size } from '../../../lib/format/format.ts';
import { announce } from '../../../lib/notifications/announce.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Checkbox } from '../../../ui/controls/checkbox.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { LogoMark } from '../../../ui/layout/logo-mark.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { StrengthField } from '../../../ui/recipe/look-fields.tsx';
import { recipeMessages } from '../../../ui/recipe/messages.ts';
import { meterOfEngine, supportsCrisp, supportsFactor } from '../../../ui/recipe/recipe-settings.ts';
import { ImageLayer } from '../../../ui/viewer/image-layer.tsx';
import { useElementSize, useOpenedZoom, ZoomSurface } from '../../../ui/viewer/zoom.tsx';
import { ZoomBar } from '../../../ui/viewer/zoom-toolbar.tsx';
import { processorMessages } from '../messages.ts';
import { type Settings, useSettings } from '../state/settings-store.ts';
import { cropPatch, makePatchAround, movePoint, type Patch, type Point } from './patch.ts';

const text = processorMessages.compare;

/** Scale factor for the comparison if the settings specify an exact size. Equals the models' native factor. */
const defaultFactor = 4;

/** An engine with a look, and the name of both. */
type Variant = { engine: JobEngine; detail: DetailMode; name: string };

type PatchDialogProps = { file: File; url: string; size: Size; settings: Settings; ownPlan: Plan; onClose: () => void };

export function PatchDialog({ file, url, size, settings, ownPlan, onClose }: PatchDialogProps) {
  const reasonId = useId();
  const [point, setPoint] = useState({ x: size.width / 2, y: size.height / 2 });
  const scaleFactor = factorOf(settings);
  const choices = useChoices(ownPlan, settings);
  // Each preview counts toward the hourly limit, and few images are pixel art.
  const [dropped, setDropped] = useState<readonly string[]>(settings.engine === 'nearest' ? [] : ['nearest']);
  const { results, original, left, busy, make } = usePatches();
  const patch = makePatchAround(point, size);
  const variants = choices.filter(({ name }) => !dropped.includes(name));
  const reason = findDisabledReason(variants.length, left);
  const use = ({ engine, detail }: Variant, strength: number) => {
    useSettings.setState({ engine, ...(isAiEngine(engine) && { detail, strength }) });
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
        {choices.map(({ name }) => (
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
          onClick={() => void make({ file, patch, variants, scaleFactor })}
        >
          {text.make(variants.length)}
        </Button>
        {reason && (
          <p id={reasonId} className="text-muted text-sm">
            {reason}
          </p>
        )}
        {left !== undefined && <p className="text-muted text-sm tabular-nums">{text.left(left)}</p>}
      </div>
      {original && (
        <PatchRow
          key={original.url}
          original={original}
          results={results}
          initialStrength={settings.strength}
          onUse={use}
        />
      )}
    </Dialog>
  );
}

type PatchPickerProps = {
  url: string;
  size: Size;
  point: Point;
  patch: Patch;
  onPoint: (point: Point) => void;
  /** Shrinks the image to make room for the results. */
  small: boolean;
};

const formatPercent = (part: number, whole: number) => `${(part / whole) * 100}%`;

function PatchPicker({ url, size, point, patch, onPoint, small }: PatchPickerProps) {
  const hint = useId();
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    // Ignores clicks triggered by a key press, because they have no position.
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
            left: formatPercent(patch.left, size.width),
            top: formatPercent(patch.top, size.height),
            width: formatPercent(patch.width, size.width),
            height: formatPercent(patch.height, size.height),
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

const factorOf = ({ target, scaleFactor }: Settings): number => (target ? defaultFactor : scaleFactor);

/**
 * Returns the available engines that support the scale factor on the user's plan, and the chosen engine also with the
 * crisp look. Few exact sizes are a whole multiple of the image, so `nearest` isn't offered for them.
 */
function useChoices(ownPlan: Plan, settings: Settings): Variant[] {
  const { data: engines = [] } = useEngines();
  const { engine, target, edges, alpha } = settings;
  const factor = factorOf(settings);
  const usable = engines.filter(
    ({ name, available }) =>
      available !== false &&
      !(target && name === 'nearest') &&
      supportsFactor(name, factor) &&
      checkPlanLimits(ownPlan, { what: 'scale', by: meterOfEngine(name), factor }).ok,
  );
  return usable.flatMap(({ name, isAuto }): Variant[] => {
    const isChosen = engine === 'auto' ? isAuto : engine === name;
    const crisp = {
      engine: name,
      detail: 'crisp',
      name: text.withLook(name, recipeMessages.detail.crisp.short),
    } as const;
    const hasCrisp = isChosen && supportsCrisp({ engine: name, edges, alpha }, factor);
    return [{ engine: name, detail: 'faithful', name }, ...(hasCrisp ? [crisp] : [])];
  });
}

/**
 * Returns the reason why previews can't be created, or undefined if they can. Also returns undefined if the hourly
 * limit is used up, because the server's error then says when more previews are available.
 */
function findDisabledReason(engines: number, left: number | undefined): string | undefined {
  if (engines === 0) return text.noEngine;
  return left && engines > left ? text.tooMany(left) : undefined;
}

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

function CellName({ name, result }: { name: string; result: PatchState }) {
  return (
    <span>
      <span className="font-medium">{name}</span>
      {result.state === 'made' && (
        <span className="text-muted tabular-nums">{` ${text.seconds(formatDuration(result.ms))}`}</span>
      )}
    </span>
  );
}

type PatchRowProps = {
  original: { url: string; size: Size };
  results: readonly PatchResult[];
  initialStrength: number;
  onUse: (variant: Variant, strength: number) => void;
};

/**
 * Shows the original patch and the results side by side. They open at 1:1 and share one zoom. The strength is previewed
 * without a new run, because AI results are linear blends with the result of `standard`.
 */
function PatchRow({ original: { url, size }, results, initialStrength, onUse }: PatchRowProps) {
  const row = useRef<HTMLDivElement>(null);
  const { ref: firstCell, box } = useElementSize<HTMLDivElement>();
  const { zoom, base, place } = useOpenedZoom({ ref: row, pane: box, size, margin: 0 }, { x: 0.5, y: 0.5 });
  const [strength, setStrength] = useState(initialStrength);
  const plainUrl = findUrl(results, ({ engine }) => engine === 'standard');
  const hasAi = findUrl(results, ({ engine }) => isAiEngine(engine)) !== undefined;
  const view = (index: number, image: { url: string; alt: string }, under?: string) =>
    box && (
      <>
        <ZoomSurface ref={zoom.register(index)} base={base} scale={zoom.scale} onTransform={zoom.follow} />
        {under && (
          <div className="pointer-events-none absolute inset-0">
            <ImageLayer image={{ url: under, alt: '' }} place={place} />
          </div>
        )}
        <div className="pointer-events-none absolute inset-0" style={under ? { opacity: strength / 100 } : undefined}>
          <ImageLayer image={image} place={place} />
        </div>
      </>
    );
  return (
    <div className="grid min-w-0 gap-3">
      <div className="flex flex-wrap items-center gap-x-8 gap-y-3">
        <ZoomBar percent={zoom.percent} onZoom={zoom.zoomTo} onFit={zoom.fitAll} onPan={zoom.panBy} />
        {hasAi && plainUrl && (
          <div className="max-w-md grow">
            <StrengthField strength={strength} onChange={(change) => setStrength(change.strength)} />
          </div>
        )}
        {hasAi && !plainUrl && <p className="text-muted text-sm">{text.strengthHint}</p>}
      </div>
      <div ref={row} className="grid auto-cols-[minmax(11.5rem,1fr)] grid-flow-col gap-3 overflow-x-auto pb-1">
        <Cell ref={firstCell} name={text.originalName}>
          {view(0, { url, alt: text.original })}
        </Cell>
        {results.map(({ variant, result }, index) => (
          <Cell
            key={variant.name}
            name={<CellName name={variant.name} result={result} />}
            action={
              result.state === 'made' && (
                <Button
                  look="secondary"
                  size="small"
                  onClick={() => onUse(variant, plainUrl ? strength : strengthRange.max)}
                >
                  {text.use(variant.name)}
                </Button>
              )
            }
          >
            {result.state === 'made' &&
              view(
                index + 1,
                { url: result.url, alt: text.patchOf(variant.name) },
                isAiEngine(variant.engine) ? plainUrl : undefined,
              )}
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

/** Returns the URL of the first finished result of a kind. */
function findUrl(results: readonly PatchResult[], isWanted: (variant: Variant) => boolean): string | undefined {
  const found = results.find(({ variant, result }) => result.state === 'made' && isWanted(variant));
  return found?.result.state === 'made' ? found.result.url : undefined;
}

type PatchState =
  | { state: 'making' }
  | { state: 'made'; url: string; ms: number }
  | { state: 'failed'; sentence: string };

type PatchResult = { variant: Variant; result: PatchState };

type PatchRequest = { file: File; patch: Patch; variants: readonly Variant[]; scaleFactor: number };

/**
 * Requests previews of a patch from several engines and looks. Sends one request at a time, because the engines would
 * compete for the server.
 */
function usePatches() {
  const [results, setResults] = useState<readonly PatchResult[]>([]);
  /** URL of the original patch, and the size of the results. */
  const [original, setOriginal] = useState<{ url: string; size: Size }>();
  /** Previews left this hour. */
  const [left, setLeft] = useState<number>();
  const urls = useRef<string[]>([]);
  const abort = useRef(new AbortController());
  const keepUrl = (blob: Blob) => {
    const url = URL.createObjectURL(blob);
    urls.current.push(url);
    return url;
  };
  const show = (shown: Variant, result: PatchState) =>
    setResults((known) => known.map((one) => (one.variant === shown ? { variant: shown, result } : one)));
  const makeOne = async (variant: Variant, image: Blob, scaleFactor: number) => {
    const { engine, detail, name } = variant;
    const { signal } = abort.current;
    const body = new FormData();
    body.set('engine', engine);
    if (detail === 'crisp') body.set('detail', detail);
    body.set('scaleFactor', String(scaleFactor));
    body.set('image', image, 'patch.png');
    const startedAt = performance.now();
    try {
      const { response, headers } = await api.preview({ body, signal });
      const url = keepUrl(await response.blob());
      const remaining = headers.get('ratelimit-remaining');
      setLeft(remaining === null ? undefined : Number(remaining));
      show(variant, { state: 'made', url, ms: performance.now() - startedAt });
      announce(text.ready(name));
    } catch (error) {
      if (!signal.aborted) show(variant, { state: 'failed', sentence: describeError(error) });
    }
  };
  const make = async ({ file, patch, variants, scaleFactor }: PatchRequest) => {
    setResults(variants.map((variant) => ({ variant, result: { state: 'making' } })));
    const image = await cropPatch(file, patch);
    const size = { width: patch.width * scaleFactor, height: patch.height * scaleFactor };
    setOriginal({ url: keepUrl(image), size });
    for (const variant of variants) await makeOne(variant, image, scaleFactor);
  };
  useEffect(() => {
    abort.current = new AbortController();
    return () => {
      abort.current.abort();
      for (const url of urls.current) URL.revokeObjectURL(url);
    };
  }, []);
  const busy = results.some(({ result }) => result.state === 'making');
  return { results, original, left, busy, make };
}
