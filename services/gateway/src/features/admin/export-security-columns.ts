import type { AdminApiKey } from '@uprez/contracts/schemas/security/admin-api-keys';
import type { Staff } from '@uprez/contracts/schemas/security/staff';
import { type ExportColumns, yesNo } from './send-export.ts';

export const apiKeyColumns: ExportColumns<'apiKeys', AdminApiKey> = {
  name: { id: ({ id }) => id, name: ({ name }) => name, kind: ({ kind }) => kind },
  owner: {
    owner: ({ owner }) => owner?.id ?? null,
    owner_email: ({ owner }) => owner?.email ?? null,
    created_by: ({ creator }) => creator?.email ?? null,
  },
  preview: { key_preview: ({ keyPreview }) => keyPreview },
  status: { active: ({ isActive }) => yesNo(isActive), expires: ({ expiresAt }) => expiresAt },
  usage: { calls: ({ usageCount }) => usageCount },
  used: { last_used: ({ lastUsed }) => lastUsed },
  created: { created: ({ createdAt }) => createdAt },
};

export const staffColumns: ExportColumns<'staff', Staff> = {
  person: {
    user: ({ id }) => id,
    email: ({ email }) => email,
    first_name: ({ firstName }) => firstName,
    last_name: ({ lastName }) => lastName,
    suspended: ({ suspendedAt }) => yesNo(suspendedAt !== null),
    suspended_at: ({ suspendedAt }) => suspendedAt,
  },
  role: { role: ({ role }) => role },
  seen: { last_seen: ({ lastSeenAt }) => lastSeenAt },
  twoFactor: { two_factor: ({ twoFactorEnabled }) => yesNo(twoFactorEnabled) },
  joined: { joined: ({ createdAt }) => createdAt },
};
