import type { EngineName } from '@uprez/contracts/policy/engines';
import { useEffect, useRef, useState } from 'react';
import { api } from '../../../lib/api/api.ts';
import { errorMessage } from '../../../lib/api/api-errors.ts';
import type { Size } from '../../../lib/format/format.ts';
import { announce } from '../../../lib/notifications/announce.ts';
import { processorMessages } from '../messages.ts';
import { cropPatch, type Patch } from './patch.ts';

const text = processorMessages.compare;

export type PatchResult =
  | { state: 'making' }
  | { state: 'made'; url: string; ms: number }
  | { state: 'failed'; sentence: string };
export type PatchResults = Partial<Record<EngineName, PatchResult>>;

type Wanted = { file: File; patch: Patch; engines: readonly EngineName[]; scaleFactor: number };

/** Patches of several engines, requested in sequence so that they do not compete on the server. */
export function usePatches() {
  const [results, setResults] = useState<PatchResults>({});
  /** The patch, and the size of its results. */
  const [original, setOriginal] = useState<{ url: string; size: Size }>();
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
    const size = { width: patch.width * scaleFactor, height: patch.height * scaleFactor };
    setOriginal({ url: keepUrl(image), size });
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
