import { AppError } from '@uprez/contracts/errors/app-error';
import { findSandboxTrigger, type SandboxTrigger, slowSeconds } from '@uprez/contracts/policy/sandbox';
import { type Actor, isSandbox } from '../actor.ts';
import { failedBeforeS } from '../jobs/fail-in-sandbox.ts';

/** The behavior that a file name triggers in the sandbox. Throws the error that it triggers for the request. */
export function obeyTrigger(actor: Actor, filename: string): Exclude<SandboxTrigger, { kind: 'refuse' }> | undefined {
  const trigger = isSandbox(actor) ? findSandboxTrigger(filename) : undefined;
  if (!trigger || trigger.kind === 'slow' || trigger.kind === 'webhook') return trigger;
  const { kind, code } = trigger;
  if (kind === 'fail') return { kind, code };
  throw new AppError(code, { meta: { sandbox: true } });
}

/** Delay before a job with this trigger may start, seconds. */
export function startsAfterS(trigger: SandboxTrigger | undefined): number | undefined {
  if (trigger?.kind === 'slow') return slowSeconds;
  return trigger?.kind === 'fail' ? failedBeforeS : undefined;
}
