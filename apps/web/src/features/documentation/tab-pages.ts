import type { MDXContent } from 'mdx/types';
import type { TabName } from './outline-data.ts';
import ApiReference from './pages/api-reference.mdx';
import Examples from './pages/examples.mdx';
import GettingStarted from './pages/getting-started.mdx';
import Sdks from './pages/sdks.mdx';

export const tabPages: Record<TabName, MDXContent> = {
  start: GettingStarted,
  reference: ApiReference,
  examples: Examples,
  sdks: Sdks,
};
