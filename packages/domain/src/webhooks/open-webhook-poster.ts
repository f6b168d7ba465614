import { limits } from '@uprez/contracts/policy/limits';
import { type GuardedPoster, openGuardedPoster } from '@uprez/guarded-fetch/open-guarded-poster';
import type { Needs } from '../context.ts';

/** What attempts are made with, so many at once; keep it for a moment only, so that it knows new addresses of servers. */
export const openWebhookPoster = ({ network }: Needs<'network'>, connections: number): GuardedPoster =>
  openGuardedPoster({
    timeoutMs: limits.webhookSeconds * 1_000,
    answerBytes: limits.webhookAnswerBytes,
    connections,
    network,
  });
