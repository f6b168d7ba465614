import type { Role } from '../../policy/admin/permissions.ts';

/** Names of roles with an article, for sentences such as "You were invited as an editor". */
export const roleInSentence: Record<Role, string> = {
  owner: 'an owner',
  admin: 'an admin',
  editor: 'an editor',
  support: 'a support agent',
  viewer: 'a viewer',
};
