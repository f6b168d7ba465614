import { type ApiKeyView, keyScopes } from '@uprez/contracts/schemas/api-keys';
import type { ApiKey } from '@uprez/domain/api-keys/get-api-key';

/** A key as its owner sees it; the secret is not known here. */
export const presentApiKey = (key: ApiKey): ApiKeyView => ({
  id: key.id,
  name: key.name,
  keyPreview: key.preview,
  kind: key.kind,
  scopes: keyScopes.filter((scope) => key.scopes.includes(scope)),
  isActive: key.isActive,
  createdAt: key.createdAt.toISOString(),
  lastUsed: key.lastUsedAt?.toISOString() ?? null,
  lastAddress: key.lastAddress,
  usageCount: key.usageCount,
  expiresAt: key.expiresAt?.toISOString() ?? null,
  isExpired: key.isExpired,
  monthlyCap: key.monthlyCap,
  unitsThisMonth: key.unitsThisMonth,
  callsPerMinute: key.callsPerMinute,
  addresses: key.addresses,
  replacedBy: key.replacedBy,
});
