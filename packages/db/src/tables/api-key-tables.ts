import type { AnyKeyKind } from '@uprez/contracts/policy/sandbox';
import type { Generated } from 'kysely';

/** `secretHash`: SHA-256 of the whole key, or null after deletion. `preview`: the start and end of the key. */
export type ApiKeysTable = {
  id: string;
  /** Null only for service keys. */
  accountId: string | null;
  name: string;
  kind: AnyKeyKind;
  secretHash: Buffer | null;
  preview: string;
  scopes: string[];
  isActive: Generated<boolean>;
  expiresAt: Date | null;
  /** Limits on units per calendar month (UTC) and on calls per minute. Null means the plan's limits. */
  monthlyCap: number | null;
  callsPerMinute: number | null;
  /** IP addresses or networks that may use the key. Empty means all. */
  addresses: Generated<string[]>;
  /** Origins with pages that may use the key, in addition to the origins in the security settings. */
  allowedOrigins: Generated<string[]>;
  usageCount: Generated<number>;
  lastUsedAt: Date | null;
  lastAddress: string | null;
  replacedBy: string | null;
  /** The administrator who created a service key. */
  createdBy: string | null;
  createdAt: Generated<Date>;
  /** Deleted keys are kept only for the access log, until its events about them are deleted. */
  deletedAt: Date | null;
};

export type ApiKeyDaysTable = {
  keyId: string;
  day: string;
  calls: Generated<number>;
  errors: Generated<number>;
  units: Generated<number>;
};

export type ApiKeyTables = {
  apiKeys: ApiKeysTable;
  apiKeyDays: ApiKeyDaysTable;
};
