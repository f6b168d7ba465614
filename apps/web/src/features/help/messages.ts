import { pluralize } from '@uprez/contracts/texts/format';
import { pageTitles } from '@uprez/contracts/texts/site/page-titles';
import { sitePaths } from '@uprez/contracts/texts/site/pages';

export const helpMessages = {
  title: pageTitles[sitePaths.help],
  lead: 'Find answers about images, plans, the API, and your account.',
  search: 'Search the help center',
  cards: {
    label: 'More help',
    contact: { title: 'Contact Support', text: 'Write to us. We answer on business days.' },
    documentation: { title: 'API Documentation', text: 'Endpoints, errors, webhooks, and SDKs.' },
  },
  tabsLabel: 'Help topics',
  tabs: { questions: 'Frequently Asked Questions', popular: 'Popular Articles' },
  noQuestions: { title: 'No questions yet', text: 'Questions appear here when they are published.' },
  noPopular: { title: 'No articles yet', text: 'Articles appear here when they are published.' },
  results: (count: number) => `${pluralize(count, 'result')}`,
  suggestion: 'Did you mean',
  noResults: {
    title: 'No results',
    text: 'Try fewer or other words. You can also browse all questions, or ask us.',
    browse: 'Browse all questions',
  },
  readingTime: (minutes: number) => `${minutes} min read`,
  readingTimeLabel: (minutes: number) => `Reading time: ${pluralize(minutes, 'minute')}`,
  back: 'Help Center',
  link: 'Link to this answer',
  vote: {
    question: 'Did this help?',
    yes: 'Yes',
    no: 'No',
    thanks: 'Thanks for your feedback.',
    failed: 'Feedback not sent',
  },
  more: {
    title: 'Still Need Help?',
    text: 'Contact our support team, or send an email.',
    contact: 'Contact Support',
  },
} as const;
