/** Larger ones are refused unread. */
export const LARGEST_ANSWER_BYTES = 10 * 1024 * 1024;
