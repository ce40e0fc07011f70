import { screenOf } from '@aisle/contract/screens'
import type { ReactNode } from 'react'
import { can } from '../../live/session'
import { AppLink } from '../appLink'
import type { CellProps } from './kind'

/** A figure that opens the rows behind it, where its field says which and the person may see them; else plain. */
export function ToRows({ value, field, row, children }: CellProps & { children: ReactNode }) {
  if (!('to' in field) || !('search' in field) || !field.to || !field.search || value === 0) return children
  const search = typeof field.search === 'string' ? row?.[field.search] : searchFrom(field.search, row)
  if (!isSearch(search)) return children
  const { path, access, built } = screenOf(field.to)
  if (!built || !can(access)) return children
  return (
    <AppLink path={path} search={search} className="screen-link">
      {children}
    </AppLink>
  )
}

/** By the field of the row; nothing where the row lacks one. */
function searchFrom(names: Record<string, string>, row: CellProps['row']): Record<string, string> {
  const found = Object.entries(names).map(([name, from]) => [name, row?.[from]] as const)
  if (found.some(([, value]) => value === null || value === undefined || value === '')) return {}
  return Object.fromEntries(found.map(([name, value]) => [name, String(value)]))
}

const isSearch = (value: unknown): value is Record<string, string> =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0
