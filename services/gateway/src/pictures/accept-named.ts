import { slowSeconds } from '@uprez/contracts/sandbox';
import type { Actor } from '@uprez/domain/actor';
import { acceptItem, type ItemFile } from '@uprez/domain/batches/accept-item';
import { failedBeforeS, failInSandbox } from '@uprez/domain/sandbox/fail-in-sandbox';
import type { Deps } from '../deps.ts';
import { obeyMagic } from './obey-magic.ts';

/** Make a job of a batch's item; in the sandbox as its file name asks. Throws what `obeyMagic` and `acceptItem` do. */
export async function acceptNamed(
  deps: Deps,
  actor: Actor,
  file: Omit<ItemFile, 'actor' | 'notBefore'>,
): ReturnType<typeof acceptItem> {
  const magic = obeyMagic(actor, file.filename);
  const notBefore = magic && (magic.kind === 'slow' ? slowSeconds : failedBeforeS);
  const accepted = await acceptItem(deps, { ...file, actor, notBefore });
  if (accepted && magic?.kind === 'fail') await failInSandbox(deps, accepted.job, magic.code);
  return accepted;
}
