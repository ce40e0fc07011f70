import { sql } from 'kysely'
import type { Reader } from '../kernel/context'

/** @returns the new row's id */
export async function inserted(db: Reader, insert: ReturnType<typeof sql>): Promise<number> {
  const made = await sql<{ id: number }>`${insert} returning id`.execute(db)
  const id = made.rows[0]?.id
  if (id === undefined) throw new Error('nothing was inserted')
  return id
}
