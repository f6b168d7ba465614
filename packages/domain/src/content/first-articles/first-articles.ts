import { sitePaths, termsSlug } from '@uprez/contracts/texts/site/pages';

/** An initial article. Its text is in a Markdown file named after the slug, in a folder of this package. */
export type FirstArticle = { slug: string; title: string; excerpt: string; featured?: boolean };

export const firstPagesFact = 'first_pages';

type FirstPage = FirstArticle & { kind: 'page' | 'legal' };
const slugOf = (path: string) => path.slice(1);

/** The pages at fixed URLs. They can't be deleted. */
export const firstPages: readonly FirstPage[] = [
  {
    kind: 'legal',
    slug: termsSlug,
    title: 'Terms of Service',
    excerpt: '',
  },
  { kind: 'legal', slug: slugOf(sitePaths.privacy), title: 'Privacy Policy', excerpt: '' },
  {
    kind: 'page',
    slug: slugOf(sitePaths.about),
    title: 'About',
    excerpt: 'Upscaling with clear limits, honest numbers, and private images.',
  },
  {
    kind: 'page',
    slug: slugOf(sitePaths.careers),
    title: 'Careers',
    excerpt: 'Help people make more of their images.',
  },
];

export const firstHelpFact = 'first_help';

const makeQuestion = (slug: string, title: string): FirstArticle => ({ slug, title, excerpt: '' });
const makePopularArticle = (slug: string, title: string, excerpt: string): FirstArticle => ({
  slug,
  title,
  excerpt,
  featured: true,
});
type Group = { slug: string; name: string; articles: readonly FirstArticle[] };

export const firstHelp: readonly Group[] = [
  {
    slug: 'getting-started',
    name: 'Getting Started',
    articles: [
      makeQuestion('how-do-i-upscale-my-first-image', 'How do I upscale my first image?'),
      makeQuestion('which-file-formats-can-i-use', 'Which file formats can I use?'),
      makeQuestion('how-large-can-my-images-be', 'How large can my images be?'),
      makeQuestion('how-long-does-processing-take', 'How long does processing take?'),
      makePopularArticle(
        'choose-an-engine',
        'Choose an engine',
        'Which engine fits your image, and what it uses of your quota.',
      ),
      makePopularArticle(
        'process-many-images-at-once',
        'Process many images at once',
        'Batches in the web app and with the API.',
      ),
    ],
  },
  {
    slug: 'api-and-integration',
    name: 'API & Integration',
    articles: [
      makeQuestion('how-do-i-get-an-api-key', 'How do I get an API key?'),
      makeQuestion('how-many-api-calls-are-included', 'How many API calls are included?'),
      makeQuestion('is-the-metadata-of-my-images-kept', 'Is the metadata of my images kept?'),
      makeQuestion('do-you-support-webhooks', 'Do you support webhooks?'),
      makePopularArticle(
        'get-started-with-the-api',
        'Get started with the API',
        'From a sandbox key to your first result.',
      ),
      makePopularArticle(
        'receive-webhooks',
        'Receive webhooks',
        'Get a request when a job ends, and check its signature.',
      ),
    ],
  },
  {
    slug: 'billing-and-plans',
    name: 'Billing & Plans',
    articles: [
      makeQuestion('what-is-included-in-the-free-plan', 'What is included in the Free plan?'),
      makeQuestion('how-much-do-the-plans-cost', 'How much do the plans cost?'),
      makeQuestion('what-happens-when-i-reach-my-limit', 'What happens when I reach my limit?'),
      makeQuestion('can-i-cancel-or-get-a-refund', 'Can I cancel or get a refund?'),
      makePopularArticle(
        'understand-your-quota',
        'Understand your quota',
        'What counts as an image, and when your quota resets.',
      ),
    ],
  },
  {
    slug: 'technical-support',
    name: 'Technical Support',
    articles: [
      makeQuestion('how-long-are-my-images-stored', 'How long are my images stored?'),
      makeQuestion('why-was-my-image-rejected', 'Why was my image rejected?'),
      makeQuestion('which-quality-should-i-choose', 'Which quality should I choose?'),
      makeQuestion('how-do-i-contact-support', 'How do I contact support?'),
      makePopularArticle(
        'fix-common-errors',
        'Fix common errors',
        'What the most frequent errors mean, and what to do.',
      ),
    ],
  },
];

export const firstPositions: readonly Group[] = [
  makePositionGroup('Engineering', {
    ...{ slug: 'backend-engineer', title: 'Backend Engineer' },
    excerpt: 'Remote, full-time',
  }),
  makePositionGroup('AI/ML', {
    ...{ slug: 'machine-learning-engineer', title: 'Machine Learning Engineer' },
    excerpt: 'Remote, full-time',
  }),
  makePositionGroup('Infrastructure', {
    ...{ slug: 'infrastructure-engineer', title: 'Infrastructure Engineer' },
    excerpt: 'Remote, full-time',
  }),
  makePositionGroup('Design', {
    ...{ slug: 'product-designer', title: 'Product Designer' },
    excerpt: 'San Francisco or remote, full-time',
  }),
  makePositionGroup('Marketing', {
    ...{ slug: 'content-marketer', title: 'Content Marketer' },
    excerpt: 'Remote, contract',
  }),
];

function makePositionGroup(name: string, article: FirstArticle): Group {
  const slug = name.toLowerCase().replaceAll(/[^a-z]+/g, '-');
  return { slug, name, articles: [article] };
}

export const firstPostsFact = 'first_posts';

/** The blog's initial categories, in the order in which the blog shows them. */
export const firstCategories = [
  { slug: 'product-updates', name: 'Product Updates', description: 'What is new in the product.' },
  { slug: 'development', name: 'Development', description: 'Guides for the API, the SDKs, and the command line.' },
  { slug: 'technical', name: 'Technical', description: 'How the engines and the service work.' },
  { slug: 'case-studies', name: 'Case Studies', description: 'Tests with real images, and what they showed.' },
  { slug: 'education', name: 'Education', description: 'Images, sizes, and formats explained.' },
  { slug: 'security', name: 'Security', description: 'How images and accounts are protected.' },
] as const;

type FirstPost = FirstArticle & { category: (typeof firstCategories)[number]['slug'] };

/** The blog's initial posts, newest first. */
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
