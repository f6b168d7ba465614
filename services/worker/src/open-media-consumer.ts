import { claimVariants } from '@uprez/domain/media/variants/claim-variants';
import { linkSignals } from '@uprez/runtime/link-signals';
import { repeat } from '@uprez/runtime/repeat';
import type { Deps } from './deps.ts';
import type { JobFolders } from './job-folders.ts';
import { processMedia } from './process-media.ts';

const pollMs = 1_000;
/** Another worker takes over an image after so long; this one has given it up before. */
const leaseS = 180;
const workMs = 150_000;

/**
 * Makes the WebP versions of images of the media library, one image at a time, beside the slots for jobs. PostgreSQL is asked
 * once a second. A worker claims none while `mayClaim` returns false.
 */
export function openMediaConsumer(
  deps: Deps,
  folders: JobFolders,
  mayClaim: () => boolean,
): { close: () => Promise<void> } {
  const stopping = new AbortController();
  const work = async () => {
    while (!stopping.signal.aborted && mayClaim()) {
      const claimed = await claimVariants(deps, leaseS);
      if (!claimed) return;
      const { signal, release } = linkSignals(stopping.signal, AbortSignal.timeout(workMs));
      await processMedia(deps, { work: claimed, folders, signal, stopping: stopping.signal }).finally(release);
    }
  };
  const polling = repeat(pollMs, work, (error) => deps.log.warn({ err: error }, 'claiming images failed'));
  return {
    /** Returns an image in progress, whose work is short. */
    close: async () => {
      stopping.abort();
      await polling.close();
    },
  };
}
