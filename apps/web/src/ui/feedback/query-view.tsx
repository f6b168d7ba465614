import type { UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { describeError, hasErrorCode } from '../../lib/api/api-errors.ts';
import { useOnline } from '../../lib/browser/use-online.ts';
import { Button } from '../controls/button.tsx';
import { EmptyState, OfflineArt } from './empty-state.tsx';
import { Notice, RetryNotice } from './notice.tsx';

const delayMs = 150;

export function Skeleton({ className = '' }: { className?: string }) {
  return <div aria-hidden="true" className={`animate-breathe rounded-control bg-sunken ${className}`} />;
}

/** Renders its children after 150 ms, to avoid flashes. */
export function Delayed({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), delayMs);
    return () => clearTimeout(timer);
  }, []);
  return shown && children;
}

const loadingLabel = 'Loading';
const offlineText = { title: "You're offline", text: 'This content will load when you reconnect.' };

type QueryViewProps<T> = {
  query: UseQueryResult<T>;
  /** Placeholder of the content, shown after 150 ms. */
  skeleton: ReactNode;
  /** Whether the data counts as empty. Defaults to whether it is an empty array. */
  isEmpty?: (data: T) => boolean;
  empty?: ReactNode;
  children: (data: T) => ReactNode;
};

const isEmptyList = (data: unknown) => Array.isArray(data) && data.length === 0;

export function QueryView<T>({ query, skeleton, empty, isEmpty = isEmptyList, children }: QueryViewProps<T>) {
  const isOnline = useOnline();
  if (query.data !== undefined) return empty !== undefined && isEmpty(query.data) ? empty : children(query.data);
  if (!isOnline || query.fetchStatus === 'paused') {
    return <EmptyState {...offlineText} illustration={<OfflineArt />} />;
  }
  if (hasShownError(query)) return <QueryError query={query} />;
  return (
    <div aria-busy="true">
      <Delayed>
        <span className="sr-only">{loadingLabel}</span>
        {skeleton}
      </Delayed>
    </div>
  );
}

const loadMoreLabel = 'Load more';

type MoreButtonProps = {
  query: Pick<
    UseInfiniteQueryResult,
    'hasNextPage' | 'isFetching' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'error' | 'fetchNextPage'
  >;
};

/** Loads the next page. A refetch cancels that, so it is requested again afterward. After an error, clicking again retries. */
export function MoreButton({ query }: MoreButtonProps) {
  const { isFetching, isFetchingNextPage, fetchNextPage } = query;
  const [wasLoading, setLoading] = useState(false);
  const [isCanceled, setCanceled] = useState(false);
  if (wasLoading !== isFetchingNextPage) {
    setLoading(isFetchingNextPage);
    setCanceled(!isFetchingNextPage && isFetching);
  }
  useEffect(() => {
    if (!isCanceled || isFetching) return;
    setCanceled(false);
    void fetchNextPage();
  }, [isCanceled, isFetching, fetchNextPage]);
  if (!query.hasNextPage) return null;
  return (
    <div className="grid justify-items-center gap-3">
      {query.isFetchNextPageError && <Notice kind="danger">{describeError(query.error)}</Notice>}
      <Button look="secondary" pending={isFetchingNextPage || isCanceled} onClick={() => void fetchNextPage()}>
        {loadMoreLabel}
      </Button>
    </div>
  );
}

type FailedQuery = Pick<UseQueryResult, 'data' | 'error' | 'isError' | 'isFetching' | 'refetch'>;

/** Whether a query has failed and has no data to show instead. The page handles ended sessions. */
export const hasShownError = ({ data, error, isError }: FailedQuery): boolean =>
  isError && data === undefined && !hasErrorCode(error, 'not_signed_in');

export const QueryError = ({ query }: { query: FailedQuery }) =>
  hasShownError(query) && (
    <RetryNotice pending={query.isFetching} onRetry={() => void query.refetch()}>
      {describeError(query.error)}
    </RetryNotice>
  );
