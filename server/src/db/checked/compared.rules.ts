import type { Declared } from './declared'
import type { Column } from './described'

export type Answered = { columns: readonly Column[]; nulls: readonly string[] }

/** Where a row type and what PostgreSQL answers disagree, as "file:line column: declared X, is Y". */
export function offences({ place, literal, isOpen, properties }: Declared, { columns, nulls }: Answered): string[] {
  const answered = new Map(columns.map((column) => [column.name, column]))
  const found: string[] = []
  for (const [name, { kind, isNullable, isOptional }] of properties) {
    const column = answered.get(name)
    const said = `${place} ${name}: declared ${kind}${isNullable ? ' or null' : ''}`
    if (!column) {
      if (!isOptional) found.push(`${said}, is not answered`)
      continue
    }
    if (kind !== 'any' && column.kind !== 'any' && kind !== column.kind) found.push(`${said}, is ${column.type}`)
    if (isNullable) continue
    if (nulls.includes(name)) found.push(`${said}, was null`)
    else if (column.isNullable) found.push(`${said}, may be null`)
  }
  // Whoever takes all columns of another select takes those that it is filtered and ordered by.
  const isLoose = isOpen || properties.size === 0 || /\bselect\s+(\w+\.)?\*/.test(literal)
  for (const { name, type } of columns) {
    if (!isLoose && !properties.has(name)) found.push(`${place} ${name}: not declared, is ${type}`)
  }
  return found
}
