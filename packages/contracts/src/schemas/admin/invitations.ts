import * as z from 'zod';
import { roles } from '../../policy/admin/permissions.ts';
import { acceptTermsSchema, emailSchema, lineSchema, nameSchema, newPasswordSchema } from '../user.ts';
import { tablePageFields } from './table.ts';

/** Null for a user without access to administration. */
const role = z.enum(roles).nullable();

export const inviteBodySchema = z.strictObject({ email: emailSchema, role, reason: lineSchema.max(500).optional() });

/** An invitation that hasn't been accepted. */
export const invitationSchema = z.object({
  id: z.uuid(),
  email: z.string(),
  role,
  /** Email address of the administrator who sent the invitation. Null if the administrator's account was deleted. */
  invitedBy: z.string().nullable(),
  createdAt: z.iso.datetime(),
  /** When the latest email was queued. */
  sentAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
});
export type Invitation = z.infer<typeof invitationSchema>;

export const invitationsQuerySchema = z.object(tablePageFields);

export const openedInvitationSchema = z.object({ email: z.string(), role });

export const acceptInvitationBodySchema = z.strictObject({
  token: z.string(),
  password: newPasswordSchema,
  firstName: nameSchema,
  lastName: nameSchema,
  acceptTerms: acceptTermsSchema,
});
