import { may } from '@uprez/contracts/policy/may';
import { tiers } from '@uprez/contracts/policy/plans';

/** Tiers with an event feed. Events of other accounts are not stored. */
export const feedTiers = tiers.filter((tier) => may(tier, { what: 'events' }).ok);
