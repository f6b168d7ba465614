import { Notice } from './notice.tsx';

export type FailedForm = { error: string | undefined; failure?: string | undefined };

/** Shows what failed. Also shows the reason, unless it is shown at a field. */
export function FormError({ form: { error, failure } }: { form: FailedForm }) {
  if (!error && !failure) return null;
  return (
    <Notice kind="danger">
      {failure && <p className="font-medium">{failure}</p>}
      {error && <p>{error}</p>}
    </Notice>
  );
}
