import { useQuery } from '@tanstack/react-query';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import type { Category } from '@uprez/contracts/schemas/content/categories';

/** The query key of all lists of articles, and of all single ones. */
export const articlesKey = [adminRoutes.adminListArticles.path] as const;
export const categoriesKey = [apiRoutes.listCategories.path] as const;

/** All categories of the blog. */
export const useCategories = () => useQuery<Category[]>({ queryKey: categoriesKey, refetchOnMount: 'always' });
