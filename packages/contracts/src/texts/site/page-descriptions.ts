import { sitePaths } from './pages.ts';

/**
 * Descriptions of public pages, for search results. The home page's description is in the SEO settings. Other pages are
 * only for users, or have secrets in their URLs. Kept apart from the titles, because the first page load doesn't need
 * descriptions.
 */
export const pageDescriptions = {
  [sitePaths.pricing]: 'Compare plans by images per month, upscaling, storage, and API access.',
  [sitePaths.documentation]:
    'Resize and upscale images from your own code: authentication, endpoints, errors, webhooks, and SDKs.',
  [sitePaths.reference]:
    'Every endpoint of the API with its parameters, responses, and errors. Send requests from your browser.',
  [sitePaths.local]:
    'Upscale and convert images in your browser. They stay on your device. Free up to 4x, without an account.',
  [sitePaths.blog]: 'News, guides, and background on upscaling and resizing images.',
  [sitePaths.about]: 'What we build, why we build it, and what you can expect from us.',
  [sitePaths.careers]: 'Open positions, benefits, and how we hire.',
  [sitePaths.contact]: 'Contact support, sales, or technical help by email or with the contact form.',
  [sitePaths.help]: 'Answers about images, plans, the API, and your account.',
  [sitePaths.status]: 'The current state of each service, uptime over 90 days, incidents, and planned maintenance.',
  [sitePaths.terms]: 'The terms for using the web app and the API.',
  [sitePaths.privacy]: 'What data is collected, how long images and accounts are stored, and how to delete them.',
} as const;

/** Pages that search engines may list. */
export const publicPages: readonly string[] = [sitePaths.home, ...Object.keys(pageDescriptions)];
