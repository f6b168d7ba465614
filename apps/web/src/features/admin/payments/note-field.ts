import { emptyAsUndefined } from '../../../lib/forms/use-api-form.ts';

type NoteText = { note: string; optional: string; noteHint: string };

/** Returns the field of a dialog for an optional note about a change to a payment or subscription. */
export const noteField = ({ note, optional, noteHint }: NoteText) =>
  ({ name: 'note', label: note, optional, hint: noteHint, rules: emptyAsUndefined, autoComplete: 'off' }) as const;
