import { may } from '@uprez/contracts/policy/may';
import { tiers } from '@uprez/contracts/policy/plans';

/** Plans whose accounts have a feed: nothing is written down for others. */
export const feedTiers = tiers.filter((tier) => may(tier, { what: 'events' }).ok);
