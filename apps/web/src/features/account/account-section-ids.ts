/** Sections of the account page in their order. Each is also the anchor of its section. */
export const accountSectionIds = [
  'profile',
  'email',
  'password',
  'two-factor',
  'devices',
  'plan',
  'export',
  'delete',
] as const;
export type AccountSectionId = (typeof accountSectionIds)[number];
