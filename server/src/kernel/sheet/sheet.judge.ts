import { findingsOf } from '@aisle/contract/kernel/problems'
import type { SheetFault } from '@aisle/contract/kernel/sheet'
import type { Language } from '@aisle/contract/kernel/text'
import type { z } from 'zod'
import { inSlices } from '../slices'
import { word } from '../words'
import type { SheetForm, SheetRow } from './sheet.form'

/** Said by its keys: a text is made for those that are shown, which of thousands are few. */
export type RowFault = {
  column: string
  domain: string
  key: string
  vars?: Record<string, string | number> | undefined
}
/** A row without a fault is good. */
export type JudgedRow<G> = { good: G | null; faults: readonly RowFault[] }
export type Judged<G> = { rows: number; good: G[]; faults: SheetFault[]; faultCount: number }

/** More are not read by anybody; their number is said. */
const MOST_FAULTS = 200
/** What stands in the column may be as long as the sheet. */
const MOST_CODE_CHARS = 60

/** Each row in its order, by itself and against those before; the faults in the words of the caller. */
export async function judgeRows<G>(
  form: SheetForm,
  language: Language,
  rows: readonly SheetRow[],
  judge: (cells: SheetRow['cells']) => JudgedRow<G>,
): Promise<Judged<G>> {
  const [first = ''] = form.columns
  const good: G[] = []
  const told: { row: number; code: string; fault: RowFault }[] = []
  let faultCount = 0
  await inSlices(rows, ({ row, cells }) => {
    const judged = judge(cells)
    const code = (cells[first] ?? '').slice(0, MOST_CODE_CHARS)
    if (judged.good && judged.faults.length === 0) good.push(judged.good)
    for (const fault of judged.faults.slice(0, MOST_FAULTS - told.length)) told.push({ row, code, fault })
    faultCount += judged.faults.length
  })
  const faults: SheetFault[] = []
  await inSlices(told, ({ row, code, fault: { column, domain, key, vars } }) => {
    const said = word(language, form.domain, form.wordOf(column))
    faults.push({ row, code, column: said, message: word(language, domain, key, vars) })
  })
  return { rows: rows.length, good, faults, faultCount }
}

/** What the schema of the form finds wrong with the cells, in the words of the form. */
export const faultsOf = (error: z.ZodError | undefined, typed: unknown): RowFault[] =>
  (error?.issues ?? []).flatMap((issue) =>
    findingsOf(issue, typed).map(({ path, reason, vars, rule }): RowFault => {
      const [column = ''] = path.split('.')
      if (rule) return { column, domain: rule.domain, key: `rule.${rule.rule}` }
      return { column, domain: 'kernel', key: `field.${reason}`, vars }
    }),
  )
