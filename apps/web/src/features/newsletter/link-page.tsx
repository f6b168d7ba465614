import { queryOptions, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import type { ReactNode } from 'react';
import { api } from '../../lib/api/api.ts';
import { describeError, hasErrorCode } from '../../lib/api/api-errors.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Spinner } from '../../ui/layout/logo-mark.tsx';
import { CardPage } from '../../ui/layout/page-heading.tsx';
import { newsletterMessages } from './messages.ts';
import { SubscribeForm } from './subscribe-form.tsx';

type LinkPageProps<Data> = {
  token: string;
  /** Validates the token and returns its data. */
  query: UseQueryOptions<Data, Error, Data, string[]>;
  texts: {
    /** The document title. */
    document: string;
    title: string;
    /** The heading if the request fails. */
    failed: string;
    /** Shown until the server responds. */
    pending: string;
    retry: string;
  };
  children: (data: Data) => ReactNode;
};

/** Expired, used, and forged links all show the same message. */
export function LinkPage<Data>({ token, query, texts, children }: LinkPageProps<Data>) {
  const { data, error, isFetching, refetch } = useQuery(query);
  const { document, title, failed, pending, retry } = texts;
  if (token === '' || hasErrorCode(error, 'invalid_token')) return <InvalidLink document={document} />;
  if (data !== undefined) return children(data);
  return (
    <CardPage title={document} heading={error ? failed : title}>
      {error ? (
        <>
          <Notice kind="danger">{describeError(error)}</Notice>
          <Button size="wide" pending={isFetching} onClick={() => void refetch()}>
            {retry}
          </Button>
        </>
      ) : (
        <Spinner label={pending} />
      )}
    </CardPage>
  );
}

const text = newsletterMessages.invalid;

/** For expired, used, and forged links. */
const InvalidLink = ({ document }: { document: string }) => (
  <CardPage title={document} heading={text.title}>
    <p role="status" className="text-muted text-sm">
      {text.text}
    </p>
    <SubscribeForm source="site" />
  </CardPage>
);

/** Isn't retried automatically, because the page shows errors with a retry button. */
export const subscriptionQuery = (token: string) =>
  queryOptions({
    queryKey: [apiRoutes.getSubscription.path, token],
    queryFn: async ({ signal }) => (await api.getSubscription({ query: { token }, signal })).data,
    ...{ enabled: token !== '', staleTime: Number.POSITIVE_INFINITY, gcTime: 0, retry: false },
  });

/** Confirms a subscription. Runs once per token. */
export const confirmationQuery = (token: string) =>
  queryOptions({
    queryKey: [apiRoutes.confirmSubscription.path, token],
    queryFn: async () => (await api.confirmSubscription({ body: { token } })).data,
    ...{ enabled: token !== '', staleTime: Number.POSITIVE_INFINITY, retry: false },
  });
