// The words that the project does not use, with the term to write instead. `npm run verify` reads this list.

/**
 * Everywhere: code, comments, tests, texts. Names count by their words: `jobLease` is "job lease". The third part is what
 * a line may contain all the same.
 */
export const terms = [
  [/\bpictures?\b/, 'image', /_de265_/],
  [/\be-mails?\b/, 'email'],
  // The name of a stage in receipts.
  [
    /\benlarg(e|es|ed|ing|ement|ements)\b/,
    'upscale, resize',
    /stage|seconds|enlarge:|'enlarge'|enlarge 2|decode, enlarge|withoutEnlargement/,
  ],
  [/\bwish(es|ed)?\b/, 'options, request'],
  [/\bfaults?\b/, 'error'],
  // The name of a field of Stripe.
  [/\brefusals?\b/, 'error, validation error', /refund_refusal_explanation/],
  [/\b(parcel|letter to|purse|drawer)s?\b/, 'delivery, balance, store'],
  [/\barithmetics?\b(?!-coded)/, 'precision, INT8, FP32'],
  [/\btroubles?\b/, 'error'],
  [/\bmagic names?\b/, 'test trigger'],
  [/\b(gives?|given|gave) up\b/, 'fail, purge'],
  [/\banew\b/, 'again'],
  [/\bpatiently\b/, 'retry'],
  // The name of a column.
  [/\bladders?\b/, 'dunning, retry delays', /ladderStep|ladder_step|subscriptions_ladder/],
];

/** In what users read: screens, errors, emails, documentation. */
export const textTerms = [
  [/\bso that\b/, 'two sentences'],
  [/\bwhose\b/, 'two sentences'],
  [/\bshall\b/, 'must, will'],
  // The specification's.
  [/\blog(ged|ging)? in\b/, 'sign in', /Please log in to access the admin dashboard|Logging in again/],
  [/\blog(ged|ging)? out\b/, 'sign out', /You are logged out\. Logging in again/],
  [/\b(scale level|scaling factor|upscaling factor|zoom factor|magnification)s?\b/, 'scale factor'],
  [/\b(largest|maximum|highest) scale\b(?! factor)/, 'largest scale factor'],
  [/\b(web|internet) address(es)?\b/, 'URL'],
  [/\baddress(es)? of (an? |your )?account\b/, 'email address'],
  [/\bthere is no\b/, "doesn't exist, not found"],
  [/\b(colour|behaviour|favour|licence)s?\b/, 'American spelling'],
];

/**
 * Labels that all screens write in one way, as they are written, with their capitals. A label is a whole text: inside of a
 * sentence, words have no capitals.
 */
export const labels = ['Sign In', 'Sign Out', 'Sign Up', 'Get Started', 'Help Center', 'Contact Support'].concat([
  'First Name',
  'Last Name',
  'Recent Activity',
  'Scale factor',
  'Canceled',
]);
/** Other spellings of labels, in lower case, besides those that differ in capitals only. */
export const otherLabels = {
  'log in': 'Sign In',
  login: 'Sign In',
  'log out': 'Sign Out',
  logout: 'Sign Out',
  signup: 'Sign Up',
  register: 'Sign Up',
  'help centre': 'Help Center',
  forename: 'First Name',
  surname: 'Last Name',
  'scaling factor': 'Scale factor',
  'scale level': 'Scale factor',
  scale: 'Scale factor',
  cancelled: 'Canceled',
};

/** Files of what users read. */
export const texts = [
  /^packages\/domain\/(help|pages|positions|posts)\/.*\.md$/,
  /^services\/gateway\/src\/.*\/[a-z-]*(bodies|documents?|page|without-scripts)\.ts$/,
  /^apps\/web\/src\/(.*\/)?([a-z-]+-)?messages(\/.*)?\.tsx?$/,
  /^apps\/web\/src\/.*\.mdx$/,
  /^packages\/contracts\/src\/(texts|errors|docs)\/(?!.*\.test\.)/,
  /^packages\/mail\/src\/(?!.*\.test\.)/,
  /^packages\/(cli|sdk-[a-z]+)\/README\.md$/,
  /^(README|ARCHITECTURE|CONTRIBUTING|examples\/README)\.md$/,
  /^docs\/.*\.md$/,
];

/** Not ours, generated, or a record of the past. */
export const ignored = [
  /^(pnpm-lock\.yaml|LICENSE|THIRD_PARTY\.md)$/,
  /\/(migrations|fixtures|generated|recipes)\//,
  /^infra\/local\/language\//,
  /^packages\/testing\/src\/repository\/find-terms\.test\.ts$/,
  /^packages\/local-stack\/stripe-schemas\.json$/,
  // Names in quantized models, whose hashes are published.
  /^packages\/models\/src\/onnx\//,
  /^CONTRIBUTING\.md$/,
  /\.(png|jpg|webp|avif|ico|woff2|svg)$/,
];
