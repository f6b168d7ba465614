import type { Tier } from '@uprez/contracts/plans';

/** Who asks. */
export type Actor = { accountId: string; tier: Tier };
