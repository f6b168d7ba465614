import type { CancelFeedback } from '../policy/billing/billing.ts';

/** Reasons to cancel a plan, as shown to customers. */
export const cancelFeedbackTexts: Readonly<Record<CancelFeedback, string>> = {
  too_expensive: "It's too expensive",
  missing_features: "It's missing features I need",
  switched_service: "I'm switching to another service",
  unused: "I don't use it enough",
  customer_service: "Customer service wasn't good enough",
  too_complex: "It's too complicated",
  low_quality: "The results weren't good enough",
  other: 'Other',
};

/**
 * Returns the text of a cancellation reason. Stripe can return values that aren't offered here, which stay unchanged.
 */
const feedbackText = (feedback: string): string =>
  Object.hasOwn(cancelFeedbackTexts, feedback) ? cancelFeedbackTexts[feedback as CancelFeedback] : feedback;

/**
 * Describes why a customer canceled, with one line per answer: `Reason: It's too expensive`, `Comment: ...`. Empty
 * without an answer.
 */
export const describeCancellation = (given: { feedback: string | null; comment: string | null }): string[] => [
  ...(given.feedback ? [`Reason: ${feedbackText(given.feedback)}`] : []),
  ...(given.comment ? [`Comment: ${given.comment}`] : []),
];
