import { expect, it } from 'vitest';
import { currentPlans } from '../policy/plans/plans.ts';
import { findPlanNameOfPath } from './plans.ts';

it.each([
  '/subscribe?plan=pro',
  '/subscribe?plan=pro&interval=year&coupon=SAVE',
  `/verify-email?next=${encodeURIComponent('/subscribe?plan=pro')}`,
])('names the plan that %s leads to', (path) => expect(findPlanNameOfPath(path)).toBe(currentPlans.pro.name));

it.each([
  null,
  '/',
  '/pricing?plan=pro',
  '/subscribe',
  '/subscribe?plan=price_1',
  '/subscribe?plan=constructor',
  '//evil.example/subscribe?plan=pro',
  '/verify-email?token=t',
])('names no plan for %j', (path) => expect(findPlanNameOfPath(path)).toBeUndefined());
