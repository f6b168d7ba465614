export type Input = { url: string; key: string; image: Blob; base64: string };

/** What a client read from the responses to its calls. */
export type Seen = {
  id: string;
  status: string;
  width: number | undefined;
  creditsUsed: number | undefined;
  /** Error code of a job that doesn't exist. */
  errorCode: string | undefined;
};

export const unknownId = '0199a3c4-0000-7000-8000-000000000000';
