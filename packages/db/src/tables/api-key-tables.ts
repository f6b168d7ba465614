import type { AnyKeyKind } from '@uprez/contracts/policy/sandbox';
import type { Generated } from 'kysely';

/**
 * A key of the public API. `secretHash`: SHA-256 of the whole key, null once it is deleted; `preview`: its beginning and
 * end.
 */
export type ApiKeysTable = {
  id: string;
  /** Null for service keys, and only for them. */
  accountId: string | null;
  name: string;
  kind: AnyKeyKind;
  secretHash: Buffer | null;
  preview: string;
  scopes: string[];
  isActive: Generated<boolean>;
  expiresAt: Date | null;
  /** Units per calendar month (UTC) and calls per minute; null: the plan's limits. */
  monthlyCap: number | null;
  callsPerMinute: number | null;
  /** Addresses or networks that may use it; empty: all. */
  addresses: Generated<string[]>;
  /** Origins whose pages may use it, besides those of the security settings. */
  allowedOrigins: Generated<string[]>;
  usageCount: Generated<number>;
  lastUsedAt: Date | null;
  lastAddress: string | null;
  /** Of a rotated key: the one that follows it. */
  replacedBy: string | null;
  /** The administrator who created a service key. */
  createdBy: string | null;
  createdAt: Generated<Date>;
  /** The access log names deleted keys until its events are deleted. Nothing else may. */
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
