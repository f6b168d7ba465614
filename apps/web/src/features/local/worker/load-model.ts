import type { LocalModel } from '@uprez/contracts/schemas/local-model';
import { LocalError, withReason } from './local-error.ts';
import { sha256 } from './sha256.ts';

/** Fetch a model, from the browser's cache if it is there, and verify its checksum. Throws LocalError. */
export async function loadModel({ url, sha256: expected }: LocalModel): Promise<Uint8Array> {
  const fetchBytes = (cache: RequestCache) =>
    withReason('download', async () => {
      const response = await fetch(url, { cache, credentials: 'omit' });
      if (!response.ok) throw new Error(`the model has status ${response.status}`);
      return response.arrayBuffer();
    });
  // The content at a URL never changes, so a cached copy is used whatever its age.
  const cached = await fetchBytes('force-cache');
  if ((await sha256(cached)) === expected) return new Uint8Array(cached);
  const fresh = await fetchBytes('reload');
  if ((await sha256(fresh)) !== expected) throw new LocalError('damaged', 'the checksum of the model is wrong');
  return new Uint8Array(fresh);
}
