import { editableNames, type MachineFacts } from '@aisle/contract/fleet/machineForm'
import { type RawBuilder, sql } from 'kysely'

export const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** What people say of a machine, under its wire names; the columns are called the same. */
export const editableColumns: RawBuilder<unknown> = sql.join(
  editableNames.map((name) => sql`${sql.ref(`m.${snake(name)}`)} as ${sql.ref(name)}`),
)

export type EditableRow = Omit<MachineFacts, 'deployedAt'> & { deployedAt: Date | null }

/** As it goes over the wire and into the audit. */
export function factsOf(row: EditableRow): MachineFacts {
  const facts = Object.fromEntries(editableNames.map((name) => [name, row[name]])) as EditableRow
  return { ...facts, deployedAt: facts.deployedAt?.toISOString() ?? null }
}

/** `column = value` for each that is given; json is written as such. */
export const settingOf = (facts: Partial<MachineFacts>): RawBuilder<unknown> =>
  sql.join(
    Object.entries(facts).map(([name, value]) => {
      const written = name === 'thermostat' && value !== null ? sql`${JSON.stringify(value)}::jsonb` : sql`${value}`
      return sql`${sql.ref(snake(name))} = ${written}`
    }),
  )
