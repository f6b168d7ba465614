import type { FirstArticle } from './first-pages.ts';

/** Name of the instance fact that records the creation of the first posts. */
export const firstPostsFact = 'first_posts';

/** The initial categories of the blog, in the order of their chips. */
export const firstCategories = [
  { slug: 'product-updates', name: 'Product Updates', description: 'What is new in the product.' },
  { slug: 'development', name: 'Development', description: 'Guides for the API, the SDKs, and the command line.' },
  { slug: 'technical', name: 'Technical', description: 'How the engines and the service work.' },
  { slug: 'case-studies', name: 'Case Studies', description: 'Tests with real images, and what they showed.' },
  { slug: 'education', name: 'Education', description: 'Images, sizes, and formats explained.' },
  { slug: 'security', name: 'Security', description: 'How images and accounts are protected.' },
] as const;

type FirstPost = FirstArticle & { category: (typeof firstCategories)[number]['slug'] };

/** The initial posts of the blog, newest first. */
export const firstPosts: readonly FirstPost[] = [
  {
    slug: 'see-the-result-before-you-sign-up',
    title: 'See the result before you sign up',
    excerpt: 'Preview every engine on your own image, and know the size, time, and price before you start.',
    category: 'product-updates',
    featured: true,
  },
  {
    slug: 'process-your-first-image-with-the-api',
    title: 'Process your first image with the API',
    excerpt: 'From an API key to a finished image with two calls.',
    category: 'development',
  },
  {
    slug: 'how-we-upscale-photos-on-a-cpu',
    title: 'How we upscale photos on a CPU',
    excerpt: 'What makes neural networks practical on ordinary processors, and where the limits are.',
    category: 'technical',
  },
  {
    slug: 'how-accurate-are-our-file-size-estimates',
    title: 'How accurate are our file size estimates?',
    excerpt: 'We compared estimates with real sizes: 30 photos, 600 results, a median error of 24%.',
    category: 'case-studies',
  },
  {
    slug: 'how-many-pixels-do-you-need-for-print',
    title: 'How many pixels do you need for print?',
    excerpt: 'Print resolution in two numbers, with a table of common sizes.',
    category: 'education',
  },
  {
    slug: 'what-happens-to-your-image-after-the-upload',
    title: 'What happens to your image after the upload',
    excerpt: 'Where your image goes, who can open it, and when each copy is deleted.',
    category: 'security',
  },
];
