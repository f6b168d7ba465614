import type { UseQueryResult } from '@tanstack/react-query';
import { errorMessage, hasErrorCode } from '../../lib/api/api-errors.ts';
import { RetryNotice } from './notice.tsx';

type FailedQuery = Pick<UseQueryResult, 'data' | 'error' | 'isError' | 'isFetching' | 'refetch'>;

/** Whether a query has failed and has no data to show instead. The page handles ended sessions. */
export const hasShownError = ({ data, error, isError }: FailedQuery): boolean =>
  isError && data === undefined && !hasErrorCode(error, 'not_signed_in');

/** Shows the error of a query that has no data, with a retry button. */
export const QueryError = ({ query }: { query: FailedQuery }) =>
  hasShownError(query) && (
    <RetryNotice pending={query.isFetching} onRetry={() => void query.refetch()}>
      {errorMessage(query.error)}
    </RetryNotice>
  );
