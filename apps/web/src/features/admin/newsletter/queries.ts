import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import type { CampaignState } from '@uprez/contracts/policy/newsletter';
import type { Campaign } from '@uprez/contracts/schemas/newsletter/campaigns';
import { adminApi } from '../admin-api.ts';
import { articlesKey } from '../blog/queries.ts';

/** Prefix of the list's key and of each campaign's key, so changes to a campaign refetch both. */
export const campaignsKey = [adminRoutes.adminListCampaigns.path] as const;
export const campaignKey = (id: string) => [...campaignsKey, id] as const;
export const subscribersKey = [adminRoutes.adminListSubscribers.path] as const;

const pollMsByState: Partial<Record<CampaignState, number>> = { sending: 2_000, scheduled: 15_000 };

/** Loads a campaign with its text and counts. Polls while the campaign is scheduled or being sent. */
export const useCampaign = (id: string) =>
  useQuery<Campaign>({
    queryKey: campaignKey(id),
    queryFn: async ({ signal }) => (await adminApi.adminGetCampaign({ params: { id }, signal })).data,
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (state.data && pollMsByState[state.data.state]) ?? false,
  });

/** Loads how many confirmed subscribers a topic has. `enabled`: whether the administrator may read the count. */
export const useSubscriberCount = (topic: 'news' | 'status', enabled: boolean) =>
  useQuery({
    queryKey: [...subscribersKey, 'count', topic],
    queryFn: async ({ signal }) => {
      const { headers } = await adminApi.adminListSubscribers({
        query: { topic, state: 'confirmed', limit: 1 },
        signal,
      });
      return Number(headers.get('x-total-count') ?? 0);
    },
    enabled,
    refetchOnMount: 'always',
  });

/** Loads the latest published posts that match a search. */
export const usePublishedPosts = (search: string) =>
  useQuery({
    queryKey: [...articlesKey, 'published', search],
    queryFn: async ({ signal }) => {
      const query = { kind: 'post', status: 'published', sort: '-published', limit: 10 } as const;
      return (await adminApi.adminListArticles({ query: { ...query, search: search || undefined }, signal })).data;
    },
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });
