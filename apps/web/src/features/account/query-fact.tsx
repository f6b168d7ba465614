import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { errorMessage, hasErrorCode } from '../../lib/api/api-errors.ts';
import { messages } from '../../messages.ts';

type QueryFactProps<T> = { query: UseQueryResult<T>; children: (data: T) => ReactNode };

/** One line with the data of a query: a placeholder while it loads, else the error with a retry button. */
export function QueryFact<T>({ query: { data, error, refetch }, children }: QueryFactProps<T>) {
  if (data !== undefined) return children(data);
  // The page handles an ended session.
  if (!error || hasErrorCode(error, 'not_signed_in'))
    return (
      <span className="block py-0.5">
        <span className="block h-4 w-28 animate-fade-in rounded-control bg-sunken" />
      </span>
    );
  return (
    <p>
      {`${errorMessage(error)} `}
      <button
        type="button"
        className="underline decoration-line underline-offset-4 hover:decoration-current"
        onClick={() => void refetch()}
      >
        {messages.session.retry}
      </button>
    </p>
  );
}
