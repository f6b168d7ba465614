export const keyPlaceholder = 'YOUR_API_KEY';
export const keyVariable = '$UPREZ_API_KEY';
/** Placeholder for the service URL in examples. The gateway replaces it in the built pages. */
export const urlPlaceholder = 'https://uprez.example';
