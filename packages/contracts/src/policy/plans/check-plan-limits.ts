import type { ErrorCode } from '../../errors/error-codes.ts';
import type { OutputFormat } from '../images/image-formats.ts';
import { limits } from '../limits.ts';
import type { Plan } from './plan-versions.ts';
import { currentPlans, type Tier, tiers } from './plans.ts';

export type PlanRequest =
  | { what: 'scale'; by: 'ai' | 'standard'; factor: number }
  | { what: 'format'; format: OutputFormat }
  | { what: 'output'; pixels: number }
  /** Estimated duration of a job, in seconds. */
  | { what: 'time'; seconds: number }
  | { what: 'bulk'; files: number }
  | { what: 'upload'; surface: 'web' | 'api'; bytes: number }
  | { what: 'store'; bytes: number }
  /** Every plan includes the sandbox of the API. */
  | { what: 'api'; sandbox?: boolean }
  /** Sandbox endpoints are available on plans with the event feed. */
  | { what: 'webhooks'; sandbox?: boolean }
  | { what: 'events' };

export type PlanRejection = {
  ok: false;
  code: Extract<ErrorCode, 'plan_feature' | 'output_too_large' | 'job_too_long' | 'file_too_large' | 'storage_full'>;
  limit: number | string;
  value: number | string;
  /** Allowed values, if `value` is a name and not a number. */
  allowed?: readonly string[];
  /** Smallest plan that allows the action. Null if no plan does. */
  unlockedBy: Tier | null;
};
export type PlanCheck = { ok: true } | PlanRejection;

const passedCheck = { ok: true } as const;
type LimitViolation = Omit<PlanRejection, 'ok' | 'unlockedBy'>;

/** Checks whether a plan allows an action. Used by the API, the worker, and the web app. */
export function checkPlanLimits(plan: Plan, request: PlanRequest): PlanCheck {
  const no = findViolation(plan, request);
  if (!no) return passedCheck;
  return { ok: false, ...no, unlockedBy: tiers.find((other) => !findViolation(currentPlans[other], request)) ?? null };
}

const checkLimit = (code: LimitViolation['code'], value: number, limit: number): LimitViolation | undefined =>
  value > limit ? { code, limit, value } : undefined;

/** Rounds a factor to two decimals, because factors are shown with two. */
const roundToHundredths = (factor: number) => Math.round(factor * 100) / 100;

function findViolation(plan: Plan, request: PlanRequest): LimitViolation | undefined {
  switch (request.what) {
    case 'scale':
      return checkLimit('plan_feature', roundToHundredths(request.factor), plan.maxFactor[request.by]);
    case 'output':
      return checkLimit('output_too_large', request.pixels, Math.min(plan.maxOutputPixels, limits.outputPixels));
    case 'time':
      return checkLimit('job_too_long', request.seconds, plan.jobSeconds);
    case 'bulk':
      return checkLimit('plan_feature', request.files, plan.bulkFiles);
    case 'upload':
      return checkLimit('file_too_large', request.bytes, plan.uploadBytes[request.surface] ?? 0);
    case 'store':
      return checkLimit('storage_full', request.bytes, plan.storageBytes);
    case 'format':
      return checkAllowedName(request.format, plan.formats);
    case 'api':
      return plan.api || request.sandbox ? undefined : { code: 'plan_feature', limit: 'none', value: 'api' };
    case 'events':
      return plan.webhooks === 'none' ? { code: 'plan_feature', limit: 'none', value: 'feed' } : undefined;
    case 'webhooks':
      return checkAllowedName(request.sandbox && plan.webhooks === 'feed' ? 'feed' : 'delivery', [plan.webhooks]);
  }
}

const checkAllowedName = (value: string, allowed: readonly string[] | 'all'): LimitViolation | undefined =>
  allowed === 'all' || allowed.includes(value)
    ? undefined
    : { code: 'plan_feature', limit: allowed.join(', '), value, allowed };
