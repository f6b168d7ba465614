/** What examples contain in place of an API key, and its environment variable where a shell reads it. */
export const keyPlaceholder = 'YOUR_API_KEY';
export const keyVariable = '$UPREZ_API_KEY';
/** What examples contain in place of the URL of the service. The gateway replaces it in the pages of the build. */
export const urlPlaceholder = 'https://uprez.example';
