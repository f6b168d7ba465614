/** Parts of the account page in their order; each is the anchor of its section. */
export const accountParts = [
  'profile',
  'email',
  'password',
  'two-factor',
  'devices',
  'plan',
  'export',
  'delete',
] as const;
export type AccountPart = (typeof accountParts)[number];
