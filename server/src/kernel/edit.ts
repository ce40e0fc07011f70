import type { CallContext } from './context'
import { type FieldProblem, refusal, refuse } from './refuse'
import { word } from './words'

type Facts = Record<string, unknown>

/**
 * Before an edit is saved: a row that somebody changed since it was read is not overwritten. Every editable table has
 * `version int`, which each save raises by one; the caller read the row `for update`.
 * @param now the row's editable fields as they are, by their wire names
 * @param wanted what the person asks to save, by the same names
 * @throws Refusal edit.stale with the fields that differ, and the version to save over
 */
export function refuseStale(
  ctx: Pick<CallContext, 'language'>,
  read: { version: number },
  row: { version: number },
  now: Facts,
  wanted: Facts,
): void {
  if (read.version === row.version) return
  const changed = Object.keys(wanted).filter((name) => name in now && !isSame(now[name], wanted[name]))
  const fields: FieldProblem[] = changed.map((path) => ({
    path,
    reason: 'changed',
    msg: word(ctx.language, 'kernel', 'field.changed', { now: textOf(now[path]) }),
    now: now[path] ?? null,
  }))
  // With it the form saves again, now over what the person has been shown.
  fields.push({ path: 'version', reason: 'now', msg: String(row.version) })
  throw refusal('edit.stale', {}, fields)
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value)
}

/**
 * @param uses names of what still uses the row, as the person knows them
 * @throws Refusal request.inUse unless there are none
 */
export function refuseInUse(uses: readonly string[]): void {
  if (uses.length === 0) return
  const shown = uses.slice(0, 20)
  const rest = uses.length > shown.length ? ' …' : ''
  refuse(
    'request.inUse',
    { uses: shown.join(' · ') + rest },
    shown.map((msg, i) => ({ path: `uses.${i}`, reason: 'uses', msg })),
  )
}
