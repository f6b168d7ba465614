import type { CallKind } from '../calls/call-kind.ts';
import { checkStep, type PlanChange } from './plan-change.ts';
import { changeS } from './run-change.ts';
import { makeScheduleSteps } from './schedule-steps.ts';
import { withdrawalSteps } from './shared-steps.ts';

/** Changes the price at the end of the period. */
export const downgradeKind: CallKind<PlanChange> = {
  name: 'downgrade',
  slot: 'change',
  expiresS: changeS,
  steps: [checkStep, ...withdrawalSteps, ...makeScheduleSteps<PlanChange>(({ request }) => request)],
};
