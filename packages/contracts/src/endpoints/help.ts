import * as z from 'zod';
import { moveArticleBodySchema } from '../schemas/content/articles.ts';
import {
  helpArticleSchema,
  helpCenterSchema,
  helpSearchQuerySchema,
  helpSearchSchema,
  searchCountSchema,
  searchCountsQuerySchema,
  voteBodySchema,
  voteCountSchema,
} from '../schemas/content/help.ts';
import { slugParams } from '../schemas/content/posts.ts';
import {
  legalTextParams,
  legalTextSchema,
  positionCardSchema,
  positionSchema,
  sitePageSchema,
} from '../schemas/content/site-pages.ts';
import { defineAdminEndpoints, defineEndpoints, emptySchema } from './endpoint.ts';

export const helpEndpoints = {
  ...defineEndpoints('none', {
    getHelpCenter: { route: 'GET /api/help', answers: { 200: helpCenterSchema } },
    searchHelp: { route: 'GET /api/help/search', query: helpSearchQuerySchema, answers: { 200: helpSearchSchema } },
    /** Also accepts a former slug. The `slug` in the response then differs from the requested slug. */
    getHelpArticle: {
      route: 'GET /api/help/articles/:slug',
      params: slugParams,
      answers: { 200: helpArticleSchema },
      errors: ['article_not_found'],
    },
    voteHelpArticle: {
      route: 'POST /api/help/articles/:slug/votes',
      params: slugParams,
      body: voteBodySchema,
      answers: { 204: emptySchema },
      errors: ['article_not_found'],
    },
    getSitePage: {
      route: 'GET /api/pages/:slug',
      params: slugParams,
      answers: { 200: sitePageSchema },
      errors: ['article_not_found'],
    },
    getLegalText: {
      route: 'GET /api/pages/:slug/versions/:number',
      params: legalTextParams,
      answers: { 200: legalTextSchema },
      errors: ['article_not_found'],
    },
    listPositions: { route: 'GET /api/careers', answers: { 200: z.array(positionCardSchema) } },
    getPosition: {
      route: 'GET /api/careers/:slug',
      params: slugParams,
      answers: { 200: positionSchema },
      errors: ['article_not_found'],
    },
  }),
  ...defineAdminEndpoints({
    adminMoveArticle: {
      route: 'POST /api/admin/articles/:id/move',
      permission: 'content.manage',
      body: moveArticleBodySchema,
      answers: { 204: emptySchema },
      errors: ['article_not_found'],
    },
    adminListSearches: {
      route: 'GET /api/admin/help/searches',
      permission: 'content.read',
      query: searchCountsQuerySchema,
      answers: { 200: z.array(searchCountSchema) },
    },
    adminListVotes: {
      route: 'GET /api/admin/help/votes',
      permission: 'content.read',
      answers: { 200: z.array(voteCountSchema) },
    },
  }),
};
