import type { ComponentProps } from 'react';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { reasonText } from './operation-messages.ts';

/** The reason of a change, which may be empty. */
export const ReasonField = (props: Partial<ComponentProps<typeof TextField>>) => (
  <TextField {...reasonText} autoComplete="off" {...props} />
);
