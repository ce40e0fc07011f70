import type { Language } from '@aisle/contract/kernel/text'
import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'

/** The address of another system. */
export type External = {
  id: number
  code: string
  titles: Partial<Record<Language, string>>
  url: string
  description: string
  menuGroup: string | null
  version: number
}

const columns = sql`id, code, titles, url, description, menu_group as "menuGroup", version`

export async function allExternal(db: Reader): Promise<External[]> {
  return (await sql<External>`select ${columns} from external_resource order by id`.execute(db)).rows
}

export async function lockExternal(db: Reader, id: number): Promise<External | undefined> {
  const found = await sql<External>`select ${columns} from external_resource where id = ${id} for update`.execute(db)
  return found.rows[0]
}

/** Codes of other systems' addresses, as roles may hold them. */
export async function externalCodes(db: Reader): Promise<string[]> {
  const found = await sql<{ code: string }>`select code from external_resource order by id`.execute(db)
  return found.rows.map(({ code }) => code)
}
