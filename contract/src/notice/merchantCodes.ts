/**
 * Merchant codes in one text, separated by a half-width comma, which must not stand at the end (spec §5). The form and
 * the server ask the same function, so that both say the same about the same text.
 */
export const codeProblems = ['required', 'fullWidth', 'trailing', 'gap', 'format', 'tooMany'] as const
export type CodeProblem = (typeof codeProblems)[number]

export const MOST_CODES = 500

export const codesIn = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((code) => code.trim())
      .filter((code) => code !== ''),
  ),
]

/** The first thing that is wrong with the list, or null. Whether the codes exist only the server knows. */
export function codeProblem(text: string): CodeProblem | null {
  const typed = text.trim()
  if (typed === '') return 'required'
  if (/[，、；;]/.test(typed)) return 'fullWidth'
  if (typed.endsWith(',')) return 'trailing'
  const parts = typed.split(',').map((part) => part.trim())
  if (parts.includes('')) return 'gap'
  if (parts.some((part) => !/^[A-Z0-9]{2,20}$/.test(part))) return 'format'
  return codesIn(typed).length > MOST_CODES ? 'tooMany' : null
}
