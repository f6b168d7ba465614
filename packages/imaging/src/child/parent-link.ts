import { AppError } from '@uprez/contracts/errors/app-error';
import { errorCodes } from '@uprez/contracts/errors/error-codes';
import {
  type MessageFromChild,
  type MessageToChild,
  messageToChildSchema,
} from '@uprez/contracts/schemas/jobs/child-messages';

export const sendToParent = (message: MessageFromChild): void => void process.send?.(message);

/** Sends the error of a run to the parent. If operators should see the error, also writes it to stderr. */
export function sendFailure(runId: string, error: unknown): void {
  const known = error instanceof AppError ? error : new AppError('processing_crashed', { cause: error });
  if (errorCodes[known.code].report) console.error(known.cause ?? error);
  const facts = Object.entries(known.meta ?? {}).filter(isScalar);
  const meta = facts.length > 0 ? { meta: Object.fromEntries(facts) } : {};
  const limit = known.limitName ? { limitName: known.limitName } : {};
  sendToParent({ type: 'failed', runId, code: known.code, detail: known.message, ...meta, ...limit });
}

const isScalar = (fact: [string, unknown]): fact is [string, string | number] =>
  typeof fact[1] === 'string' || typeof fact[1] === 'number';

const exitProcess = () => process.exit(0);

/** By default, exits when the parent disconnects. */
export function onParentMessage(
  handle: (message: MessageToChild) => void,
  onDisconnect: () => void = exitProcess,
): void {
  process.on('disconnect', onDisconnect);
  process.on('message', (raw) => handle(messageToChildSchema.parse(raw)));
}

/**
 * Switches to an unprivileged user. Must be called after all imports, because that user may not have access to the
 * modules.
 */
export function dropPrivileges({ uid, gid }: { uid?: number | undefined; gid?: number | undefined }): void {
  if (uid === undefined || gid === undefined) return;
  process.setgroups?.([]);
  process.setgid?.(gid);
  process.setuid?.(uid);
}
