/** An answer that takes longer is a fault. A machine that does other things besides may take longer; the full run has one to itself. */
export const slowMs = process.env.UPREZ_FULL ? 1_000 : 10_000;
