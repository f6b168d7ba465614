import { ApiError } from '@uprez/client/api-error';
import { type EditConflict, editConflictSchema } from '@uprez/contracts/schemas/content/articles';
import { errorMessage, hasErrorCode } from '../../../../lib/api/api-errors.ts';
import { findFieldError } from '../../../../lib/forms/find-field-error.ts';
import { editorMessages } from './messages.ts';

/** Messages by field. Those of the SEO texts begin with `seo`. */
export type FieldErrors = Readonly<Record<string, string>>;

/** What someone else has saved since this text was loaded; undefined for other errors. */
export function findConflict(error: unknown): EditConflict | undefined {
  if (!(error instanceof ApiError) || !hasErrorCode(error, 'edit_conflict')) return undefined;
  return editConflictSchema.safeParse(error.meta).data;
}

/** The message of a failed call, also by the field that it concerns. */
export function describeFailure(error: unknown): { failure: string; errors: FieldErrors } {
  const failure = hasErrorCode(error, 'article_not_found') ? editorMessages.deleted : errorMessage(error);
  const field = findFieldError(error)?.field;
  if (field === undefined || !(error instanceof ApiError)) return { failure, errors: {} };
  // The request contains the fields in an object: `fields/seo/title`.
  const path = (error.param ?? field).replace(/^fields\//, '');
  const [name = '', part] = path.split('/');
  return { failure, errors: { [name === 'seo' && part ? `seo/${part}` : name]: failure } };
}

/** The messages without those of some fields and their parts. */
export const withoutFields = (errors: FieldErrors, names: readonly string[]): FieldErrors =>
  Object.fromEntries(Object.entries(errors).filter(([name]) => !names.includes(name.split('/')[0] ?? '')));
