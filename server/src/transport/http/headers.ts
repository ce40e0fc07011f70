/** Answers to calls are nobody's to keep, and what they are is never guessed. */
export const callHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
