import type { EngineName } from '@uprez/contracts/policy/engines';
import { useEffect, useRef, useState } from 'react';
import { api } from '../../../lib/api/api.ts';
import { errorMessage } from '../../../lib/api/api-errors.ts';
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
type Made = { engine: EngineName; image: Blob; scaleFactor: number; signal: AbortSignal };

/** Requests a patch from one engine. `left`: remaining patches of this hour. Throws ApiError. */
async function makePatch({ engine, image, scaleFactor, signal }: Made) {
  const body = new FormData();
  body.set('engine', engine);
  body.set('scaleFactor', String(scaleFactor));
  body.set('image', image, 'patch.png');
  const { response, headers } = await api.preview({ body, signal });
  const left = headers.get('ratelimit-remaining');
  return { image: await response.blob(), left: left === null ? undefined : Number(left) };
}

/** Patches of several engines, requested in sequence so that they do not compete on the server. */
export function usePatches() {
  const [results, setResults] = useState<PatchResults>({});
  const [original, setOriginal] = useState<string>();
  const [left, setLeft] = useState<number>();
  const [busy, setBusy] = useState(false);
  const urls = useRef<string[]>([]);
  const abort = useRef(new AbortController());
  const keepUrl = (blob: Blob) => {
    const url = URL.createObjectURL(blob);
    urls.current.push(url);
    return url;
  };
  const tell = (engine: EngineName, result: PatchResult) => setResults((known) => ({ ...known, [engine]: result }));
  const makeOne = async (engine: EngineName, image: Blob, scaleFactor: number) => {
    const startedAt = performance.now();
    try {
      const made = await makePatch({ engine, image, scaleFactor, signal: abort.current.signal });
      setLeft(made.left);
      tell(engine, { state: 'made', url: keepUrl(made.image), ms: performance.now() - startedAt });
      announce(text.ready(engine));
    } catch (error) {
      if (!abort.current.signal.aborted) tell(engine, { state: 'failed', sentence: errorMessage(error) });
    }
  };
  const make = async ({ file, patch, engines, scaleFactor }: Wanted) => {
    setBusy(true);
    setResults(Object.fromEntries(engines.map((engine) => [engine, { state: 'making' }])));
    const image = await cropPatch(file, patch);
    setOriginal(keepUrl(image));
    for (const engine of engines) await makeOne(engine, image, scaleFactor);
    setBusy(false);
  };
  useEffect(() => {
    abort.current = new AbortController();
    return () => {
      abort.current.abort();
      for (const url of urls.current) URL.revokeObjectURL(url);
    };
  }, []);
  return { results, original, left, busy, make };
}
