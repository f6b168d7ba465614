import { errorMessage } from '../../lib/api/api-errors.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Spinner } from '../../ui/layout/logo-mark.tsx';
import { CardPage } from '../../ui/layout/page-heading.tsx';

type LinkStateProps = {
  /** The title of the document. */
  document: string;
  heading: string;
  /** What happens while there is no error. */
  pending: string;
  error: Error | null;
  isFetching: boolean;
  retry: { label: string; run: () => void };
};

/** Shown until the server has answered, and when it couldn't be reached. */
export const LinkState = ({ document, heading, pending, error, isFetching, retry }: LinkStateProps) => (
  <CardPage title={document} heading={heading}>
    {error ? (
      <>
        <Notice kind="danger">{errorMessage(error)}</Notice>
        <Button size="wide" pending={isFetching} onClick={retry.run}>
          {retry.label}
        </Button>
      </>
    ) : (
      <Spinner label={pending} />
    )}
  </CardPage>
);
