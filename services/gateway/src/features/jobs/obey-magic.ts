import { AppError } from '@uprez/contracts/errors/app-error';
import { findSandboxTrigger, type SandboxTrigger, slowSeconds } from '@uprez/contracts/policy/sandbox';
import { type Actor, isSandbox } from '@uprez/domain/actor';
import { failedBeforeS } from '@uprez/domain/jobs/fail-in-sandbox';

/** What a file name asks of the sandbox; elsewhere names ask nothing. Throws the error that a call is to be refused with. */
export function obeyMagic(actor: Actor, filename: string): Exclude<SandboxTrigger, { kind: 'refuse' }> | undefined {
  const magic = isSandbox(actor) ? findSandboxTrigger(filename) : undefined;
  if (!magic || magic.kind === 'slow' || magic.kind === 'webhook') return magic;
  const { kind, code } = magic;
  if (kind === 'fail') return { kind, code };
  throw new AppError(code, { meta: { sandbox: true } });
}

/** Seconds before which nobody starts a job of such a name. */
export function startsAfterS(magic: SandboxTrigger | undefined): number | undefined {
  if (magic?.kind === 'slow') return slowSeconds;
  return magic?.kind === 'fail' ? failedBeforeS : undefined;
}
