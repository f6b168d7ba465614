import { type ApiKeyView, keyScopes } from '@uprez/contracts/schemas/api-keys';
import type { ApiKeyRow } from '@uprez/db/queries/api-keys/api-keys';

/** A key as its owner sees it; the secret is not known here. */
export const presentApiKey = (key: ApiKeyRow): ApiKeyView => ({
  id: key.id,
  name: key.name,
  keyPreview: key.preview,
  kind: key.kind,
  scopes: keyScopes.filter((scope) => key.scopes.includes(scope)),
  isActive: key.is_active,
  createdAt: key.created_at.toISOString(),
  lastUsed: key.last_used_at?.toISOString() ?? null,
  lastAddress: key.last_address,
  usageCount: key.usage_count,
  expiresAt: key.expires_at?.toISOString() ?? null,
  isExpired: key.isExpired,
  monthlyCap: key.monthly_cap,
  unitsThisMonth: key.unitsThisMonth,
  callsPerMinute: key.calls_per_minute,
  addresses: key.addresses,
  replacedBy: key.replaced_by,
});
