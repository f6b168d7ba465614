import type { FirstArticle } from './first-pages.ts';

/** Name of the instance fact that records the creation of the first help articles and positions. */
export const firstHelpFact = 'first_help';

/** Returns a question: its title, and the slug of its answer. */
const question = (slug: string, title: string): FirstArticle => ({ slug, title, excerpt: '' });
/** Returns an article that is listed as popular. */
const popular = (slug: string, title: string, excerpt: string): FirstArticle => ({
  slug,
  title,
  excerpt,
  featured: true,
});
type Group = { slug: string; name: string; articles: readonly FirstArticle[] };

/** The initial categories of the help center, each with its questions and popular articles, in order. */
export const firstHelp: readonly Group[] = [
  {
    slug: 'getting-started',
    name: 'Getting Started',
    articles: [
      question('how-do-i-upscale-my-first-image', 'How do I upscale my first image?'),
      question('which-file-formats-can-i-use', 'Which file formats can I use?'),
      question('how-large-can-my-images-be', 'How large can my images be?'),
      question('how-long-does-processing-take', 'How long does processing take?'),
      popular('choose-an-engine', 'Choose an engine', 'Which engine fits your image, and what it uses of your quota.'),
      popular('process-many-images-at-once', 'Process many images at once', 'Batches in the web app and with the API.'),
    ],
  },
  {
    slug: 'api-and-integration',
    name: 'API & Integration',
    articles: [
      question('how-do-i-get-an-api-key', 'How do I get an API key?'),
      question('how-many-api-calls-are-included', 'How many API calls are included?'),
      question('is-the-metadata-of-my-images-kept', 'Is the metadata of my images kept?'),
      question('do-you-support-webhooks', 'Do you support webhooks?'),
      popular('get-started-with-the-api', 'Get started with the API', 'From a sandbox key to your first result.'),
      popular('receive-webhooks', 'Receive webhooks', 'Get a request when a job ends, and check its signature.'),
    ],
  },
  {
    slug: 'billing-and-plans',
    name: 'Billing & Plans',
    articles: [
      question('what-is-included-in-the-free-plan', 'What is included in the Free plan?'),
      question('how-much-do-the-plans-cost', 'How much do the plans cost?'),
      question('what-happens-when-i-reach-my-limit', 'What happens when I reach my limit?'),
      question('can-i-cancel-or-get-a-refund', 'Can I cancel or get a refund?'),
      popular('understand-your-quota', 'Understand your quota', 'What counts as an image, and when your quota resets.'),
    ],
  },
  {
    slug: 'technical-support',
    name: 'Technical Support',
    articles: [
      question('how-long-are-my-images-stored', 'How long are my images stored?'),
      question('why-was-my-image-rejected', 'Why was my image rejected?'),
      question('which-quality-should-i-choose', 'Which quality should I choose?'),
      question('how-do-i-contact-support', 'How do I contact support?'),
      popular('fix-common-errors', 'Fix common errors', 'What the most frequent errors mean, and what to do.'),
    ],
  },
];

/** The initial departments of positions, each with the drafts of a new installation. */
export const firstPositions: readonly Group[] = [
  position('Engineering', {
    ...{ slug: 'backend-engineer', title: 'Backend Engineer' },
    excerpt: 'Remote, full-time',
  }),
  position('AI/ML', {
    ...{ slug: 'machine-learning-engineer', title: 'Machine Learning Engineer' },
    excerpt: 'Remote, full-time',
  }),
  position('Infrastructure', {
    ...{ slug: 'infrastructure-engineer', title: 'Infrastructure Engineer' },
    excerpt: 'Remote, full-time',
  }),
  position('Design', {
    ...{ slug: 'product-designer', title: 'Product Designer' },
    excerpt: 'San Francisco or remote, full-time',
  }),
  position('Marketing', {
    ...{ slug: 'content-marketer', title: 'Content Marketer' },
    excerpt: 'Remote, contract',
  }),
];

function position(name: string, article: FirstArticle): Group {
  const slug = name.toLowerCase().replaceAll(/[^a-z]+/g, '-');
  return { slug, name, articles: [article] };
}
