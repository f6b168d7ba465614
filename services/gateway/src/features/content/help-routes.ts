import { AppError } from '@uprez/contracts/errors/app-error';
import { moveArticle } from '@uprez/domain/content/articles/move-article';
import { findHelpArticle, getHelpCenter } from '@uprez/domain/content/help/get-help-center';
import { listSearches, listVotes, searchHelp, voteHelpArticle } from '@uprez/domain/content/help/search-help';
import { findLegalText, findPosition, findSitePage, listPositions } from '@uprez/domain/content/pages/find-site-page';
import type { Deps } from '../../deps.ts';
import { requireAdminAndId } from '../../http/authenticate.ts';
import { defineHandlers } from '../../http/contract.ts';

function requireArticle<Found>(found: Found | undefined): Found {
  if (!found) throw new AppError('article_not_found');
  return found;
}

/** Handlers for the help center, the pages of the site, and open positions. Anyone can read them. */
export const helpHandlers = (deps: Deps) =>
  defineHandlers({
    getHelpCenter: async () => getHelpCenter(deps),
    searchHelp: async (request) => searchHelp(deps, request.query.q),
    getHelpArticle: async (request) => requireArticle(await findHelpArticle(deps, request.params.slug)),
    voteHelpArticle: async (request, reply) => {
      await voteHelpArticle(deps, { slug: request.params.slug, ...request.body });
      return reply.status(204).send(null);
    },
    getSitePage: async (request) => requireArticle(await findSitePage(deps, request.params.slug)),
    getLegalText: async (request) => requireArticle(await findLegalText(deps, request.params)),
    listPositions: async () => listPositions(deps),
    getPosition: async (request) => requireArticle(await findPosition(deps, request.params.slug)),
  });

export const adminHelpHandlers = (deps: Deps) =>
  defineHandlers({
    adminMoveArticle: async (request, reply) => {
      await moveArticle(deps, { ...(await requireAdminAndId(deps, request)), ...request.body });
      return reply.status(204).send(null);
    },
    adminListSearches: async (request) => listSearches(deps, { missed: request.query.missed === 'true' }),
    adminListVotes: async () => listVotes(deps),
  });
