import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import type { Generated } from 'kysely';

/** How an account uses image URLs. Secrets are sealed. `keyId`: names the account in its URLs. */
export type ImageUrlSettingsTable = {
  accountId: string;
  keyId: string;
  isEnabled: Generated<boolean>;
  /** Hosts of original images; `*.` in front of a name allows all names below it. */
  hosts: Generated<string[]>;
  secret: string;
  /** Also verifies URLs until then. */
  formerSecret: string | null;
  formerUntil: Date | null;
  rotatedAt: Generated<Date>;
};

/** The cached outcome of an image URL. `hash`: of the URL of the original and the options. */
export type ImageUrlResultsTable = {
  accountId: string;
  hash: string;
  /** The job that made the result, or makes it. */
  jobId: string | null;
  /** Until then, one gateway fetches the original. Others wait for it. */
  claimedUntil: Date | null;
  /** Until then, the original is not fetched again. */
  freshUntil: Date | null;
  /** Why no job could be created. */
  errorCode: ErrorCode | null;
  errorDetail: string | null;
  updatedAt: Generated<Date>;
};

export type ImageUrlTables = {
  imageUrlSettings: ImageUrlSettingsTable;
  imageUrlResults: ImageUrlResultsTable;
};
