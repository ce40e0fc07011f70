import { type CheckedPart, selfCheckResult } from '@aisle/contract/device/selfCheck'

/** What a self-check says; null where the machine's words can't be understood. */
export function partsIn(result: Record<string, unknown> | null): CheckedPart[] | null {
  const read = selfCheckResult.safeParse(result)
  return read.success ? read.data.parts : null
}

/** Each part that does not work, once; motors are many and one part. */
export const failingIn = (parts: readonly CheckedPart[]): string[] => [
  ...new Set(parts.filter(({ ok }) => !ok).map(({ part }) => part)),
]

export type Verdict = { raise: Wrong[]; clear: Omit<Wrong, 'facts'>[] }
type Wrong = { cause: 'slot_fault' | 'device'; slot?: string; facts: Record<string, string> }

/** Which alarms follow: a motor is its slot's fault; of the other parts one alarm of the machine names all. */
export function verdictOf(parts: readonly CheckedPart[]): Verdict {
  const motors = parts.filter(({ part, slot }) => part === 'motor' && slot !== undefined)
  const others = parts.filter((each) => !motors.includes(each))
  const verdict: Verdict = { raise: [], clear: [] }
  for (const { slot = '', ok, code } of motors) {
    if (ok) verdict.clear.push({ cause: 'slot_fault', slot })
    else verdict.raise.push({ cause: 'slot_fault', slot, facts: { code: code ?? '' } })
  }
  const failing = failingIn(others)
  if (failing.length > 0) verdict.raise.push({ cause: 'device', facts: { code: failing.join(', ') } })
  else if (others.length > 0) verdict.clear.push({ cause: 'device' })
  return verdict
}
