import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { errorMessage } from '../../lib/api/api-errors.ts';
import { uiMessages } from '../../messages/ui.ts';
import { Notice } from '../feedback/notice.tsx';
import { Button } from './button.tsx';

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
        {uiMessages.loadMore}
      </Button>
    </div>
  );
}
