import type { RequestedEngine } from '@uprez/contracts/engines';
import { plans, type Tier } from '@uprez/contracts/plans';

/** The engine that the page asks for: above the factor that a plan includes with AI, plain resampling, which it says. */
export const engineFor = (tier: Tier, scaleFactor: number): RequestedEngine =>
  scaleFactor > plans[tier].maxFactor.ai ? 'standard' : 'auto';
