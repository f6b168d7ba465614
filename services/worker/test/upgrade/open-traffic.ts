import { createClient } from '@uprez/client/create-client';
import { browserRoutes } from '@uprez/contracts/endpoints/routes';
import type { SignedIn } from '@uprez/testing/sign-up';
import { deleteOne, type Gateway, runBatch, runOne } from './rounds.ts';

/** Requests that a user sends continuously to the gateways in `urls`, which may change meanwhile. */
export type Traffic = ReturnType<typeof openTraffic>;

/** Starts loops that submit images to one gateway, and follow, download, or delete the jobs on another. */
export function openTraffic(user: SignedIn, firstUrl: string) {
  const state = { urls: [firstUrl], isOver: false, errors: [] as string[], completed: 0, deleted: 0, batches: 0 };
  const checkedFetch: typeof fetch = async (input, init) => {
    const answer = await user.fetch(input, init);
    if (!answer.ok) state.errors.push(`${init?.method ?? 'GET'} ${input}: ${answer.status}`);
    return answer;
  };
  const gatewayOf = (round: number): Gateway => {
    const baseUrl = state.urls[round % state.urls.length] ?? firstUrl;
    return { baseUrl, fetch: checkedFetch, client: createClient(browserRoutes, { baseUrl, fetch: checkedFetch }) };
  };
  let round = 0;
  const loop = async () => {
    while (!state.isOver) {
      round += 1;
      const [run, counter] = roundOf(round);
      await run([gatewayOf(round), gatewayOf(round + 1)], round).then(
        () => {
          state[counter] += 1;
        },
        (error) => state.errors.push(String(error)),
      );
    }
  };
  const loops = [loop(), loop(), loop()];
  return {
    state,
    /** Ends the loops after their current round. */
    stop: async () => {
      state.isOver = true;
      await Promise.all(loops);
    },
  };
}

function roundOf(round: number) {
  if (round % 5 === 0) return [deleteOne, 'deleted'] as const;
  return round % 7 === 0 ? ([runBatch, 'batches'] as const) : ([runOne, 'completed'] as const);
}
