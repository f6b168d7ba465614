import type { AdminApiKey } from '@uprez/contracts/schemas/security/admin-api-keys';
import type { ExportColumns } from './send-export.ts';

export const apiKeyColumns: ExportColumns<'apiKeys', AdminApiKey> = {
  name: { id: ({ id }) => id, name: ({ name }) => name, kind: ({ kind }) => kind },
  owner: {
    owner: ({ owner }) => owner?.id ?? null,
    owner_email: ({ owner }) => owner?.email ?? null,
    created_by: ({ creator }) => creator?.email ?? null,
  },
  preview: { key_preview: ({ keyPreview }) => keyPreview },
  status: { active: ({ isActive }) => (isActive ? 'yes' : 'no'), expires: ({ expiresAt }) => expiresAt },
  usage: { calls: ({ usageCount }) => usageCount },
  used: { last_used: ({ lastUsed }) => lastUsed },
  created: { created: ({ createdAt }) => createdAt },
};
