import { type Finding, findingsOf } from '@aisle/contract/kernel/problems'
import type { Language } from '@aisle/contract/kernel/text'
import type { z } from 'zod'
import type { FieldProblem } from '../../kernel/refuse'
import { isStorable } from '../../kernel/files/storable'
import { word } from '../../kernel/words'

/** More than a form shows; an input with a thousand mistakes is not a form. */
const MOST_PROBLEMS = 20
const DEEPEST = 32

export function fieldProblems(issues: z.ZodError['issues'], input: unknown, language: Language): FieldProblem[] {
  const findings = issues.flatMap((issue) => findingsOf(issue, input)).slice(0, MOST_PROBLEMS)
  return findings.map((finding) => worded(finding, language))
}

const worded = ({ path, reason, vars, rule }: Finding, language: Language): FieldProblem => ({
  path,
  reason,
  msg: rule ? word(language, rule.domain, `rule.${rule.rule}`) : word(language, 'kernel', `field.${reason}`, vars),
})

/** Characters that can't be stored, wherever they hide, keys included; and nesting that no input of ours has. */
export function unstorable(input: unknown, language: Language): FieldProblem[] {
  const path = pathOfUnstorable(input, [])
  return path === null ? [] : [worded({ path: path.join('.'), reason: 'characters' }, language)]
}

function pathOfUnstorable(value: unknown, path: readonly string[]): readonly string[] | null {
  if (typeof value === 'string') return isStorable(value) ? null : path
  if (typeof value !== 'object' || value === null) return null
  if (path.length >= DEEPEST) return path
  for (const [key, inner] of Object.entries(value)) {
    if (!isStorable(key)) return path
    const found = pathOfUnstorable(inner, [...path, key])
    if (found) return found
  }
  return null
}
