import type { EngineName } from '@uprez/contracts/policy/engines';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { api } from '../../../lib/api/api.ts';
import { errorMessage } from '../../../lib/api/api-errors.ts';
import { formatDuration } from '../../../lib/format/format.ts';
import { announce } from '../../../lib/notifications/announce.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { LogoMark } from '../../../ui/layout/logo-mark.tsx';
import { processorMessages } from '../messages.ts';
import { cropPatch, type Patch } from './patch.ts';

const text = processorMessages.compare;

type PatchResult =
  | { state: 'making' }
  | { state: 'made'; url: string; ms: number }
  | { state: 'failed'; sentence: string };
type PatchResults = Partial<Record<EngineName, PatchResult>>;

type Wanted = { file: File; patch: Patch; engines: readonly EngineName[]; scaleFactor: number };

/** Patches of several engines, requested in sequence so that they do not compete on the server. */
export function usePatches() {
  const [results, setResults] = useState<PatchResults>({});
  const [original, setOriginal] = useState<string>();
  /** Remaining patches of this hour. */
  const [left, setLeft] = useState<number>();
  const urls = useRef<string[]>([]);
  const abort = useRef(new AbortController());
  const keepUrl = (blob: Blob) => {
    const url = URL.createObjectURL(blob);
    urls.current.push(url);
    return url;
  };
  const show = (engine: EngineName, result: PatchResult) => setResults((known) => ({ ...known, [engine]: result }));
  const makeOne = async (engine: EngineName, image: Blob, scaleFactor: number) => {
    const { signal } = abort.current;
    const body = new FormData();
    body.set('engine', engine);
    body.set('scaleFactor', String(scaleFactor));
    body.set('image', image, 'patch.png');
    const startedAt = performance.now();
    try {
      const { response, headers } = await api.preview({ body, signal });
      const url = keepUrl(await response.blob());
      const remaining = headers.get('ratelimit-remaining');
      setLeft(remaining === null ? undefined : Number(remaining));
      show(engine, { state: 'made', url, ms: performance.now() - startedAt });
      announce(text.ready(engine));
    } catch (error) {
      if (!signal.aborted) show(engine, { state: 'failed', sentence: errorMessage(error) });
    }
  };
  const make = async ({ file, patch, engines, scaleFactor }: Wanted) => {
    setResults(Object.fromEntries(engines.map((engine) => [engine, { state: 'making' }])));
    const image = await cropPatch(file, patch);
    setOriginal(keepUrl(image));
    for (const engine of engines) await makeOne(engine, image, scaleFactor);
  };
  useEffect(() => {
    abort.current = new AbortController();
    return () => {
      abort.current.abort();
      for (const url of urls.current) URL.revokeObjectURL(url);
    };
  }, []);
  const busy = Object.values(results).some(({ state }) => state === 'making');
  return { results, original, left, busy, make };
}

function Cell({ name, children, action }: { name: ReactNode; children: ReactNode; action?: ReactNode }) {
  return (
    <figure className="grid content-start gap-2">
      <div className="checkerboard grid aspect-square place-items-center overflow-hidden">{children}</div>
      <figcaption className="flex min-h-7 flex-wrap items-center justify-between gap-2 text-sm">
        {name}
        {action}
      </figcaption>
    </figure>
  );
}

function View({ engine, result }: { engine: EngineName; result: PatchResult }) {
  if (result.state === 'made') {
    return <img src={result.url} alt={text.patchOf(engine)} className="size-full object-contain" />;
  }
  if (result.state === 'failed') {
    return (
      <div className="p-3">
        <Notice kind="danger">{result.sentence}</Notice>
      </div>
    );
  }
  return <LogoMark animated className="size-8 text-muted" />;
}

type PatchGridProps = { original: string; results: PatchResults; onUse: (engine: EngineName) => void };

export function PatchGrid({ original, results, onUse }: PatchGridProps) {
  const made = Object.entries(results) as [EngineName, PatchResult][];
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Cell name={text.original}>
        <img src={original} alt={text.original} className="size-full object-contain" />
      </Cell>
      {made.map(([engine, result]) => (
        <Cell
          key={engine}
          name={
            <span>
              <span className="font-medium">{engine}</span>
              {result.state === 'made' && (
                <span className="text-muted tabular-nums">{` ${text.seconds(formatDuration(result.ms))}`}</span>
              )}
            </span>
          }
          action={
            result.state === 'made' && (
              <Button look="secondary" size="small" onClick={() => onUse(engine)}>
                {text.use(engine)}
              </Button>
            )
          }
        >
          <View engine={engine} result={result} />
        </Cell>
      ))}
    </div>
  );
}
