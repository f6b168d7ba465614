import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import type { MessageFromChild } from '@uprez/contracts/schemas/jobs/child-messages';
import {
  customModelLimits,
  ModelError,
  type ModelMeasurements,
  modelMeasurementsSchema,
} from '@uprez/models/custom/custom-model';
import type { Jail } from '@uprez/runtime/jail';
import { openPixelChild } from '@uprez/runtime/open-pixel-child';

const childModule = createRequire(import.meta.url).resolve('@uprez/imaging/model-check/child');
const readyMs = 30_000;

/** Limits of the check, which tests lower. */
type CheckLimits = { checkSeconds?: number; checkMemoryBytes?: number };

/**
 * Checks and measures a model in a jailed child, which ends afterwards. Throws ModelError with the child's reason, or
 * if the child exceeds its time or memory, or crashes.
 */
export async function checkInJail(bytes: Buffer, jail: Jail, limits: CheckLimits = {}): Promise<ModelMeasurements> {
  const { checkSeconds, checkMemoryBytes } = { ...customModelLimits, ...limits };
  const runId = randomUUID();
  let onMessage: (message: MessageFromChild) => void = () => undefined;
  const replied = new Promise<MessageFromChild>((resolve) => {
    onMessage = resolve;
  });
  const child = await openPixelChild({
    ...{ jail, module: childModule, options: { threads: availableParallelism() }, memoryBytes: checkMemoryBytes },
    ...{ readyMs, onMessage },
    onLog: () => undefined,
  });
  const timer = setTimeout(() => child.kill('processing_timeout'), checkSeconds * 1_000);
  try {
    child.send({ type: 'checkModel', runId, sizeBytes: bytes.length });
    child.bytes.write(bytes);
    const reply: MessageFromChild | ErrorCode = await Promise.race([replied, child.exited]);
    if (typeof reply === 'string') throw new ModelError(describeEnd(reply, { checkSeconds, checkMemoryBytes }));
    return readReply(reply);
  } finally {
    clearTimeout(timer);
    child.kill('processing_crashed');
    await child.exited;
  }
}

function readReply(reply: MessageFromChild): ModelMeasurements {
  if (reply.type === 'failed' && reply.code === 'invalid_parameter') throw new ModelError(reply.detail);
  const measured = reply.type === 'checkedModel' ? modelMeasurementsSchema.safeParse(reply.measured).data : undefined;
  if (measured) return measured;
  throw new ModelError('The model made the check fail. Export it again, or use another model.');
}

function describeEnd(code: ErrorCode, { checkSeconds, checkMemoryBytes }: Required<CheckLimits>): string {
  if (code === 'processing_memory')
    return `The model needs more than ${checkMemoryBytes / 1024 ** 2} MB of memory. Use a smaller model.`;
  if (code === 'processing_timeout') return `The check took more than ${checkSeconds} seconds. Use a faster model.`;
  return 'The model crashed the process that checked it. Export it again, or use another model.';
}
