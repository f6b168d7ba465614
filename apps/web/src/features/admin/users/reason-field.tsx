import { filledSchema } from '@uprez/contracts/schemas/user';
import type { ComponentProps } from 'react';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { dialogMessages } from './dialog-messages.ts';

/** A reason, as all endpoints that take one limit it. */
export const reasonSchema = filledSchema(dialogMessages.required).max(500);

/** A field for the reason of a change. */
export const ReasonField = ({
  hint = dialogMessages.auditHint,
  ...props
}: Partial<ComponentProps<typeof TextField>>) => (
  <TextField label={dialogMessages.reason} hint={hint} autoComplete="off" aria-required {...props} />
);
