import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { errorMessage, hasErrorCode } from '../../lib/api/api-errors.ts';
import { useOnline } from '../../lib/browser/use-online.ts';
import { EmptyState } from './empty-state.tsx';
import { OfflineArt } from './illustrations.tsx';
import { RetryNotice } from './notice.tsx';
import { Delayed } from './skeleton.tsx';

const loading = 'Loading';
const offline = { title: "You're offline", text: 'This content will load when you reconnect.' };

type QueryViewProps<T> = {
  query: UseQueryResult<T>;
  /** Placeholder of the content, shown after 150 ms. */
  skeleton: ReactNode;
  /** By default, an empty list is empty. */
  isEmpty?: (data: T) => boolean;
  /** Shown instead of empty data. */
  empty?: ReactNode;
  children: (data: T) => ReactNode;
};

const isEmptyList = (data: unknown) => Array.isArray(data) && data.length === 0;

/** The data of a query, or its loading, error, or offline state. */
export function QueryView<T>({ query, skeleton, empty, isEmpty = isEmptyList, children }: QueryViewProps<T>) {
  const isOnline = useOnline();
  if (query.data !== undefined) return empty !== undefined && isEmpty(query.data) ? empty : children(query.data);
  if (!isOnline || query.fetchStatus === 'paused') {
    return <EmptyState {...offline} illustration={<OfflineArt />} />;
  }
  // The page handles an ended session.
  if (query.isError && !hasErrorCode(query.error, 'not_signed_in')) {
    return (
      <RetryNotice pending={query.isFetching} onRetry={() => void query.refetch()}>
        {errorMessage(query.error)}
      </RetryNotice>
    );
  }
  return (
    <div aria-busy="true">
      <Delayed>
        <span className="sr-only">{loading}</span>
        {skeleton}
      </Delayed>
    </div>
  );
}
