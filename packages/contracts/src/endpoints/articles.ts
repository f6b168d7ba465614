import * as z from 'zod';
import {
  articleRowSchema,
  articleSchema,
  articlesExportSchema,
  articlesQuerySchema,
  createArticleBodySchema,
  previewLinkSchema,
  publishBodySchema,
  revisionParams,
  revisionRowSchema,
  revisionSchema,
  revisionsQuerySchema,
  saveDraftBodySchema,
  savedDraftSchema,
  seenVersionBodySchema,
} from '../schemas/content/articles.ts';
import {
  categoriesQuerySchema,
  categoryBodySchema,
  categoryChangesSchema,
  categorySchema,
} from '../schemas/content/categories.ts';
import {
  adminPostsQuerySchema,
  postBodySchema,
  postPageSchema,
  postSchema,
  postsQuerySchema,
  previewParams,
  previewSchema,
  publicPostSchema,
  slugParams,
} from '../schemas/content/posts.ts';
import { bytes, defineAdminEndpoints, defineEndpoints, idParams, nothing } from './endpoint.ts';

/** Why a text can't be published. */
const textErrors = ['markup_invalid', 'slug_taken', 'category_not_found'] as const;
const draftErrors = ['article_not_found', 'edit_conflict'] as const;

/** Articles: their drafts, revisions, and publication; and what readers get. */
export const articleEndpoints = {
  ...defineEndpoints('none', {
    listPosts: { query: postsQuerySchema, answers: { 200: postPageSchema }, errors: ['category_not_found'] },
    /** A former slug is answered with the post, whose `slug` differs. */
    getPost: { params: slugParams, answers: { 200: publicPostSchema }, errors: ['article_not_found'] },
    listCategories: { query: categoriesQuerySchema, answers: { 200: z.array(categorySchema) } },
    getPreview: {
      params: previewParams,
      answers: { 200: previewSchema },
      errors: ['article_not_found', 'markup_invalid'],
    },
  }),
  ...defineAdminEndpoints({
    adminListArticles: {
      permission: 'content.read',
      query: articlesQuerySchema,
      answers: { 200: z.array(articleRowSchema) },
    },
    adminExportArticles: {
      permission: 'content.read',
      query: articlesExportSchema,
      answers: { 200: bytes },
      errors: ['export_too_large'],
    },
    adminCreateArticle: {
      permission: 'content.manage',
      body: createArticleBodySchema,
      answers: { 201: articleSchema },
      errors: ['article_not_found'],
    },
    adminGetArticle: {
      permission: 'content.read',
      params: idParams,
      answers: { 200: articleSchema },
      errors: ['article_not_found'],
    },
    adminSaveDraft: {
      permission: 'content.manage',
      params: idParams,
      body: saveDraftBodySchema,
      answers: { 200: savedDraftSchema },
      errors: [...draftErrors, ...textErrors, 'article_fixed'],
    },
    adminDiscardDraft: {
      permission: 'content.manage',
      params: idParams,
      body: seenVersionBodySchema,
      answers: { 200: articleSchema },
      errors: draftErrors,
    },
    adminPublishArticle: {
      permission: 'content.manage',
      params: idParams,
      body: publishBodySchema,
      answers: { 200: articleSchema },
      errors: [...draftErrors, ...textErrors, 'article_fixed'],
    },
    adminWithdrawLegalVersion: {
      permission: 'legal.publish',
      params: revisionParams,
      body: seenVersionBodySchema,
      answers: { 200: articleSchema },
      errors: [...draftErrors, 'article_fixed', 'revision_not_found'],
    },
    adminUnpublishArticle: {
      permission: 'content.manage',
      params: idParams,
      body: seenVersionBodySchema,
      answers: { 200: articleSchema },
      errors: [...draftErrors, 'article_fixed'],
    },
    adminListRevisions: {
      permission: 'content.read',
      params: idParams,
      query: revisionsQuerySchema,
      answers: { 200: z.array(revisionRowSchema) },
      errors: ['article_not_found'],
    },
    adminGetRevision: {
      permission: 'content.read',
      params: revisionParams,
      answers: { 200: revisionSchema },
      errors: ['revision_not_found'],
    },
    adminRestoreRevision: {
      permission: 'content.manage',
      params: revisionParams,
      body: seenVersionBodySchema,
      answers: { 200: articleSchema },
      errors: ['revision_not_found', ...draftErrors],
    },
    adminCreatePreview: {
      permission: 'content.manage',
      params: idParams,
      answers: { 201: previewLinkSchema },
      errors: ['article_not_found', 'markup_invalid'],
    },
    adminDeleteArticle: {
      permission: 'content.manage',
      params: idParams,
      answers: { 204: nothing },
      errors: ['article_not_found', 'article_fixed'],
    },
    adminRestoreArticle: {
      permission: 'content.manage',
      params: idParams,
      answers: { 200: articleSchema },
      errors: ['article_not_found', 'slug_taken'],
    },
    adminListPosts: {
      permission: 'content.read',
      query: adminPostsQuerySchema,
      answers: { 200: z.array(postSchema) },
    },
    adminCreatePost: {
      permission: 'content.manage',
      body: postBodySchema,
      answers: { 201: postSchema },
      errors: textErrors,
    },
    adminUpdatePost: {
      permission: 'content.manage',
      params: idParams,
      body: postBodySchema,
      answers: { 200: postSchema },
      errors: ['article_not_found', ...textErrors],
    },
    adminDeletePost: {
      permission: 'content.manage',
      params: idParams,
      answers: { 204: nothing },
      errors: ['article_not_found'],
    },
    adminCreateCategory: {
      permission: 'content.manage',
      body: categoryBodySchema,
      answers: { 201: categorySchema },
      errors: ['slug_taken'],
    },
    adminUpdateCategory: {
      permission: 'content.manage',
      params: idParams,
      body: categoryChangesSchema,
      answers: { 200: categorySchema },
      errors: ['category_not_found', 'slug_taken'],
    },
    adminDeleteCategory: {
      permission: 'content.manage',
      params: idParams,
      answers: { 204: nothing },
      errors: ['category_not_found'],
    },
  }),
};
