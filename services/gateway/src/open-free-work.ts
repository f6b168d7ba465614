import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { formatWait } from '@uprez/contracts/texts/format';
import type { Log } from '@uprez/domain/context';
import { type FreeWorkContext, isFreeWork } from '@uprez/domain/jobs/admission';
import type { Config } from './config.ts';
import { currentAddress } from './http/request-callers.ts';

const windowMs = limits.freeSecondsMinutes * 60_000;
/**
 * How long to keep the IP address that created a batch or job, in milliseconds. Batches fetch no images after this
 * time, and jobs rarely wait longer.
 */
const keptMs = limits.batchHours * 3_600_000;

type FreeWorkNeeds = {
  counters: {
    spend: (caller: string, cost: { cost: number; most: number; windowMs: number }) => Promise<number | undefined>;
    keepCaller: (id: string, caller: string, keptMs: number) => Promise<void>;
    findCaller: (batchId: string) => Promise<string | undefined>;
    isUnavailable: (error: unknown) => error is Error;
  };
  config: Pick<Config, 'RATE_LIMIT_SCALE'>;
  log: Pick<Log, 'warn'>;
  rateFallbacks: { add: (labels: { class: string }) => void };
};

/**
 * Opens the budgets for free work, one per IP address. All gateways share them. They limit users who open many
 * accounts, which account quotas can't do. While Redis is unavailable, nothing is counted, but account quotas still
 * apply.
 */
export function openFreeWork({ counters, config, log, rateFallbacks }: FreeWorkNeeds): FreeWorkContext['freeWork'] {
  const most = limits.freeSeconds * config.RATE_LIMIT_SCALE;
  const count = <T>(counting: Promise<T>): Promise<T | undefined> =>
    counting.catch((error: unknown) => {
      if (!counters.isUnavailable(error)) throw error;
      log.warn({ reason: error.message }, 'free work is not counted');
      rateFallbacks.add({ class: 'free_seconds' });
      return undefined;
    });
  const findAddress = async (batchId: string | undefined) =>
    currentAddress() ?? (batchId === undefined ? undefined : count(counters.findCaller(batchId)));
  return {
    spend: async (actor, { seconds: cost, batchId }) => {
      const address = isFreeWork(actor) ? await findAddress(batchId) : undefined;
      if (!address) return;
      const leftMs = await count(counters.spend(address, { cost, most, windowMs }));
      if (leftMs !== undefined) throw usedUp(Math.max(1, Math.ceil(leftMs / 1_000)), most);
    },
    keepCaller: async (actor, id, batchId) => {
      const address = isFreeWork(actor) ? await findAddress(batchId) : undefined;
      if (address) await count(counters.keepCaller(id, address, keptMs));
    },
  };
}

function usedUp(retryAfterS: number, limit: number): AppError {
  const detail = `Your network has used up its free processing time. Try again ${formatWait(retryAfterS)}.`;
  return new AppError('rate_limited', { detail, meta: { limit, retryAfterS }, limitName: 'free_seconds' });
}
