import { asksForCode } from '../../lib/api/asks-for-code.ts';
import { errorSentence } from '../../lib/api/error-sentence.ts';
import { fieldErrors } from '../../lib/forms/field-errors.ts';
import { Notice } from '../feedback/notice.tsx';

type FormFaultProps = {
  error: Error | null;
  /** In place of the reason, where a toast tells that. */
  instead?: string;
};

/** Why the last try failed, until the next one; nothing where a field of the form says it, or the field for a code. */
export function FormFault({ error, instead }: FormFaultProps) {
  if (!error || asksForCode(error) || Object.keys(fieldErrors(error)).length > 0) return null;
  return <Notice kind="danger">{instead ?? errorSentence(error)}</Notice>;
}
