import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import type { ImagePlan, Inspection } from '@uprez/contracts/schemas/image-plan';
import type { Receipt } from '@uprez/contracts/schemas/receipt';

export const verdicts = ['accepted', 'refused', 'crashed'] as const;
export type Verdict = (typeof verdicts)[number];

/** How one file fared; what was not reached is absent. */
export type FileReport = {
  /** Relative to the folder. */
  file: string;
  sizeBytes: number;
  verdict: Verdict;
  /** Why it counts as crashed. */
  fault?: string;
  code?: ErrorCode;
  sentence?: string;
  inspection?: Inspection;
  plan?: ImagePlan;
  receipt?: Receipt;
  /** Wall time of both children's work, and the larger of their peaks of resident memory. */
  ms: number;
  peakBytes: number;
  /** What the children wrote on stderr. */
  log?: string;
};
