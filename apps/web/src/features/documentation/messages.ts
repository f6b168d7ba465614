/** The prose is in `pages/*.mdx`. */
export const documentationMessages = {
  title: 'Documentation',
  lead: 'Resize, convert, and upscale images with one API request.',
  tabs: {
    label: 'Documentation',
    start: 'Getting Started',
    reference: 'API Reference',
    examples: 'Examples',
    sdks: 'SDKs',
  },
  /** Section titles by section ID, in the order of each page. */
  sections: {
    start: {
      key: 'Get an API key',
      'first-image': 'Your first image',
      'large-images': 'Large images',
      answer: 'Responses',
      address: 'Base URL',
      next: 'Next steps',
    },
    reference: {
      authentication: 'Authentication',
      answers: 'Requests and responses',
      'calls-images': 'Images',
      parameters: 'Parameters',
      'calls-jobs': 'Jobs',
      'calls-batches': 'Batches',
      'calls-account': 'Account',
      'calls-webhooks': 'Webhooks and events',
      'calls-documentation': 'API descriptions',
      repeats: 'Idempotency and caching',
      headers: 'Headers',
      limits: 'Limits',
      plans: 'Plans',
      sandbox: 'Sandbox',
      errors: 'Errors',
      changes: 'Changelog',
    },
    sdks: {
      'sdk-node': 'Node.js',
      'sdk-python': 'Python',
      'sdk-php': 'PHP',
      'sdk-go': 'Go',
      cli: 'Command line',
      generators: 'Client generators',
      mcp: 'Assistants (MCP)',
    },
  },
  linkTo: (title: string) => `Link to "${title}"`,
  search: {
    label: 'Search the documentation',
    placeholder: 'Search',
    none: (query: string) => `No results for "${query}"`,
    results: (count: number) => `${count} ${count === 1 ? 'result' : 'results'}`,
    kinds: {
      part: 'Section',
      call: 'Endpoint',
      parameter: 'Parameter',
      header: 'Header',
      error: 'Error',
      example: 'Example',
    },
  },
  response: 'Response',
  errors: 'Errors',
  retry: 'retry',
  scope: (name: string) => `Scope: ${name}`,
  noKey: 'No API key required',
  aliasPaths: (paths: readonly string[]) => `Aliases: ${paths.map((path) => `\`${path}\``).join(', ')}.`,
  parameters: { fallback: (value: string) => `default ${value}`, aliases: (names: string) => `aliases ${names}` },
  fields: {
    title: 'Fields',
    required: 'required',
    loading: 'Loading...',
    missing: "Couldn't load the fields. Close this section and open it again.",
    places: { path: 'Path', query: 'Query', json: 'JSON body', form: 'Form' },
  },
  lists: {
    requestHeaders: 'Request headers',
    responseHeaders: 'Response headers',
    testTriggers: 'Test triggers by file name',
    events: 'Events',
    eventFields: 'Fields in a job.completed webhook',
    deliveryErrors: 'Delivery errors',
  },
  sdks: {
    install: 'Install',
    withoutComposer: 'Install without Composer',
    use: 'Upscale an image',
    cli: {
      install:
        'cd ~/uprez\nnpx pnpm@12.21.0 install\nnpx tsc -b packages/cli\nmkdir -p ~/.local/bin\nln -s ~/uprez/packages/cli/bin/uprez.js ~/.local/bin/uprez',
      use: 'Estimate the cost of a folder',
      commands:
        'export UPREZ_URL=https://uprez.example\nexport UPREZ_API_KEY=YOUR_API_KEY\nuprez photos --out large --scale 4 --dry-run',
    },
    generators: {
      use: 'Generate a client',
      config: 'orval.config.mjs',
    },
    mcp: {
      claude: 'Connect Claude Code',
      claudeCommand:
        'claude mcp add --transport http uprez https://uprez.example/mcp \\\n  --header "Authorization: Bearer YOUR_API_KEY"',
      config: 'Configure Cursor and other assistants',
      configFile:
        '{\n  "mcpServers": {\n    "uprez": {\n      "url": "https://uprez.example/mcp",\n      "headers": { "Authorization": "Bearer YOUR_API_KEY" }\n    }\n  }\n}',
      local: 'Use files on your computer',
      localCommand:
        'cd ~/uprez\nnpx pnpm@12.21.0 install\nnpx tsc -b packages/mcp\nclaude mcp add uprez -e UPREZ_URL=https://uprez.example \\\n  -e UPREZ_API_KEY=YOUR_API_KEY -- node ~/uprez/packages/mcp/bin/uprez-mcp.js ~/images',
    },
  },
} as const;
