import { consentGivers } from '@aisle/contract/member/member'
import { type MemberColumn, memberColumns } from '@aisle/contract/member/memberImport'
import { addMember } from '@aisle/contract/member/memberRecord'
import type { z } from 'zod'
import { dayIn, partsOf } from '../../../kernel/sheet/sheet.cells'
import { type SheetForm, type SheetRow, valueReader } from '../../../kernel/sheet/sheet.form'
import { faultsOf, type JudgedRow, type RowFault } from '../../../kernel/sheet/sheet.judge'
import { needsGuardian } from '../member.rules'

export const memberSheet: SheetForm = {
  domain: 'member',
  wordOf: (column) => `field.${column}`,
  columns: memberColumns,
  needed: ['name'],
  file: 'aisle-members.xlsx',
  titles: { rows: 'import.sheet', rules: 'import.rules' },
}

/** What the form of a member asks for, checked by the same schema. */
const shape = addMember.input.omit({ merchantId: true })
export type NewMember = z.output<typeof shape>

/** What the database knows of what a sheet names. */
export type ImportWorld = {
  today: string
  takenNumbers: ReadonlySet<string>
  /** Of members of the merchant, by `personKey`. */
  known: ReadonlySet<string>
  /** By name and by the way from the top, `School/Grade/Class`; several may have one name. */
  units: ReadonlyMap<string, readonly number[]>
}

/** What rows before have named. */
export type Seen = { numbers: Set<string>; people: Set<string> }

/** Who a row without a number is about: such a sheet imported once more adds nobody twice. */
export const personKey = ({ name, phone }: Pick<NewMember, 'name' | 'phone'>): string => `${name} ${phone}`

/** A row by the rules of the form, then against what there is, then against the rows before. */
export function judgeMember(cells: SheetRow['cells'], world: ImportWorld, seen: Seen): JudgedRow<NewMember> {
  const { typed, unknown } = typedRow(cells, world)
  const parsed = shape.safeParse(typed)
  const faults = [...faultsOf(parsed.error, typed), ...unknown]
  if (!parsed.data) return { good: null, faults }
  const { number, birthday, consentedBy } = parsed.data
  if (birthday !== null && birthday > world.today) faults.push(faultOf('birthday', 'refusal.member.bornLater'))
  if (consentedBy === 'self' && needsGuardian(birthday, world.today)) {
    faults.push(faultOf('consentedBy', 'refusal.member.guardian'))
  }
  const [key, before, there, column] =
    number === ''
      ? ([personKey(parsed.data), seen.people, world.known, 'name'] as const)
      : ([number, seen.numbers, world.takenNumbers, 'number'] as const)
  if (there.has(key)) faults.push(faultOf(column, `import.${column}Taken`))
  if (before.has(key)) faults.push(faultOf(column, `import.${column}Twice`))
  before.add(key)
  return { good: parsed.data, faults }
}

const faultOf = (column: MemberColumn, key: string, vars?: RowFault['vars']): RowFault => ({
  column,
  domain: 'member',
  key,
  vars,
})

/** Cells as the schema takes them: an empty one is not said, and what can't be read stays to be turned down. */
function typedRow(cells: SheetRow['cells'], world: ImportWorld) {
  const typed: Record<string, unknown> = {}
  const unknown: RowFault[] = []
  for (const column of memberColumns) {
    const text = cells[column]
    if (!text) continue
    const read = readers[column]?.(text, world) ?? { value: text }
    if (read.fault) unknown.push(faultOf(column, `import.${read.fault}`, { name: text }))
    else typed[column] = read.value
  }
  return { typed, unknown }
}

type Read = { value?: unknown; fault?: string }

const giverIn = valueReader('member', 'consentedBy', consentGivers)

const readers: { [C in MemberColumn]?: (text: string, world: ImportWorld) => Read } = {
  birthday: (text) => ({ value: dayIn(text) ?? text }),
  tags: (text) => ({ value: partsOf(text) }),
  unitId: (text, { units }) => {
    const ids = units.get(unitKey(text)) ?? []
    if (ids.length > 1) return { fault: 'unitTwice' }
    return ids[0] === undefined ? { fault: 'unitUnknown' } : { value: ids[0] }
  },
  consentedBy: (text) => {
    const value = giverIn(text)
    return value === null ? { fault: 'giver' } : { value }
  },
}

/** However a way is written: `School/3A` and `school > 3a` are one. */
export const unitKey = (text: string): string =>
  text
    .split(/[/>＞]/)
    .map((each) => each.trim().toLowerCase())
    .join('/')
