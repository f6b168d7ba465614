import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { errorMessage, hasErrorCode } from '../../lib/api/api-errors.ts';
import { useOnline } from '../../lib/browser/use-online.ts';
import { uiMessages } from '../../messages/ui.ts';
import { Button } from '../controls/button.tsx';
import { EmptyState } from './empty-state.tsx';
import { OfflineArt } from './illustrations.tsx';
import { Notice } from './notice.tsx';
import { Delayed } from './skeleton.tsx';

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

function QueryError({ query }: { query: UseQueryResult<unknown> }) {
  return (
    <Notice kind="danger">
      <div className="flex flex-wrap items-center justify-between gap-3">
        {errorMessage(query.error)}
        <Button look="secondary" size="small" pending={query.isFetching} onClick={() => void query.refetch()}>
          {uiMessages.retry}
        </Button>
      </div>
    </Notice>
  );
}

const isEmptyList = (data: unknown) => Array.isArray(data) && data.length === 0;

/** The data of a query, or its loading, error, or offline state. */
export function QueryView<T>({ query, skeleton, empty, isEmpty = isEmptyList, children }: QueryViewProps<T>) {
  const isOnline = useOnline();
  if (query.data !== undefined) return empty !== undefined && isEmpty(query.data) ? empty : children(query.data);
  if (!isOnline || query.fetchStatus === 'paused') {
    return <EmptyState {...uiMessages.offline} illustration={<OfflineArt />} />;
  }
  // The page handles an ended session.
  if (query.isError && !hasErrorCode(query.error, 'not_signed_in')) return <QueryError query={query} />;
  return (
    <div aria-busy="true">
      <Delayed>
        <span className="sr-only">{uiMessages.loading}</span>
        {skeleton}
      </Delayed>
    </div>
  );
}
