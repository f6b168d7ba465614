import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { errorMessage } from '../../lib/api/api-errors.ts';
import { Button } from '../controls/button.tsx';
import { Notice } from './notice.tsx';

const loadMore = 'Load more';

type MoreButtonProps = {
  query: Pick<
    UseInfiniteQueryResult,
    'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'error' | 'fetchNextPage'
  >;
};

/** Loads the next page of a list. After an error, another press retries. */
export function MoreButton({ query }: MoreButtonProps) {
  if (!query.hasNextPage) return null;
  return (
    <div className="grid justify-items-center gap-3">
      {query.isFetchNextPageError && <Notice kind="danger">{errorMessage(query.error)}</Notice>}
      <Button look="secondary" pending={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {loadMore}
      </Button>
    </div>
  );
}
