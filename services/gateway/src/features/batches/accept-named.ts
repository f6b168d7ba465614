import type { Actor } from '@uprez/domain/actor';
import { acceptItem, type ItemFile } from '@uprez/domain/batches/accept-item';
import { failInSandbox } from '@uprez/domain/jobs/fail-in-sandbox';
import type { Deps } from '../../deps.ts';
import { obeyMagic, startsAfterS } from '../jobs/obey-magic.ts';

/** Make a job of a batch's item; in the sandbox as its file name asks. Throws what `obeyMagic` and `acceptItem` do. */
export async function acceptNamed(
  deps: Deps,
  actor: Actor,
  file: Omit<ItemFile, 'actor' | 'notBefore'>,
): ReturnType<typeof acceptItem> {
  const magic = obeyMagic(actor, file.filename);
  const notBefore = startsAfterS(magic);
  const accepted = await acceptItem(deps, { ...file, actor, notBefore });
  if (accepted && magic?.kind === 'fail') await failInSandbox(deps, { job: accepted.job, code: magic.code });
  return accepted;
}
