import type { ErrorCode } from '../../errors/error-codes.ts';
import type { OutputFormat } from '../images/image-formats.ts';
import { limits } from '../limits.ts';
import type { Plan } from './plan-versions.ts';
import { currentPlans, type Tier, tiers } from './plans.ts';

/** An action that plans restrict. */
export type Request =
  | { what: 'scale'; by: 'ai' | 'standard'; factor: number }
  | { what: 'format'; format: OutputFormat }
  | { what: 'output'; pixels: number }
  /** Estimated duration of a job, seconds. */
  | { what: 'time'; seconds: number }
  | { what: 'bulk'; files: number }
  | { what: 'upload'; surface: 'web' | 'api'; bytes: number }
  | { what: 'store'; bytes: number }
  /** Every plan includes the sandbox of the API. */
  | { what: 'api'; sandbox?: boolean }
  /** Sandbox endpoints are available on plans with the event feed. */
  | { what: 'webhooks'; sandbox?: boolean }
  | { what: 'events' };

export type Refused = {
  ok: false;
  code: Extract<ErrorCode, 'plan_feature' | 'output_too_large' | 'job_too_long' | 'file_too_large' | 'storage_full'>;
  limit: number | string;
  value: number | string;
  /** Allowed values, if `value` is one of a set of names. */
  allowed?: readonly string[];
  /** Smallest plan that allows the action. Null if no plan does. */
  unlockedBy: Tier | null;
};
export type PlanAnswer = { ok: true } | Refused;

const yes = { ok: true } as const;
type No = Omit<Refused, 'ok' | 'unlockedBy'>;

/** Checks an action against a plan, for the API, the worker, and the web app. */
export function may(plan: Plan, request: Request): PlanAnswer {
  const no = refuse(plan, request);
  if (!no) return yes;
  return { ok: false, ...no, unlockedBy: tiers.find((other) => !refuse(currentPlans[other], request)) ?? null };
}

const compare = (code: No['code'], value: number, limit: number): No | undefined =>
  value > limit ? { code, limit, value } : undefined;

/** Rounds a factor to two decimals, because factors are shown with two. */
const roundToHundredths = (factor: number) => Math.round(factor * 100) / 100;

function refuse(plan: Plan, request: Request): No | undefined {
  switch (request.what) {
    case 'scale':
      return compare('plan_feature', roundToHundredths(request.factor), plan.maxFactor[request.by]);
    case 'output':
      return compare('output_too_large', request.pixels, Math.min(plan.maxOutputPixels, limits.outputPixels));
    case 'time':
      return compare('job_too_long', request.seconds, plan.jobSeconds);
    case 'bulk':
      return compare('plan_feature', request.files, plan.bulkFiles);
    case 'upload':
      return compare('file_too_large', request.bytes, plan.uploadBytes[request.surface] ?? 0);
    case 'store':
      return compare('storage_full', request.bytes, plan.storageBytes);
    case 'format':
      return refuseName(request.format, plan.formats);
    case 'api':
      return plan.api || request.sandbox ? undefined : { code: 'plan_feature', limit: 'none', value: 'api' };
    case 'events':
      return plan.webhooks === 'none' ? { code: 'plan_feature', limit: 'none', value: 'feed' } : undefined;
    case 'webhooks':
      return refuseName(request.sandbox && plan.webhooks === 'feed' ? 'feed' : 'delivery', [plan.webhooks]);
  }
}

const refuseName = (value: string, allowed: readonly string[] | 'all'): No | undefined =>
  allowed === 'all' || allowed.includes(value)
    ? undefined
    : { code: 'plan_feature', limit: allowed.join(', '), value, allowed };
