import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import type { Generated } from 'kysely';

/** An account's settings for image URLs. Secrets are sealed. `keyId`: identifies the account in its URLs. */
export type ImageUrlSettingsTable = {
  accountId: string;
  keyId: string;
  isEnabled: Generated<boolean>;
  /** Hosts of original images. A leading `*.` allows all subdomains. */
  hosts: Generated<string[]>;
  secret: string;
  /** Also verifies URLs until `formerUntil`. */
  formerSecret: string | null;
  formerUntil: Date | null;
  rotatedAt: Generated<Date>;
};

/** The cached outcome of an image URL. `hash`: hash of the original's URL and the options. */
export type ImageUrlResultsTable = {
  accountId: string;
  hash: string;
  jobId: string | null;
  /** End of a gateway's claim to fetch the original. Other gateways wait until then. */
  claimedUntil: Date | null;
  /** The original isn't fetched again before this time. */
  freshUntil: Date | null;
  /** The error if no job could be created. */
  errorCode: ErrorCode | null;
  errorDetail: string | null;
  updatedAt: Generated<Date>;
};

export type ImageUrlTables = {
  imageUrlSettings: ImageUrlSettingsTable;
  imageUrlResults: ImageUrlResultsTable;
};
