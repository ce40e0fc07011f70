import type { Language } from '@aisle/contract/kernel/text'
import { sql } from 'kysely'
import type { Reader, Tx } from '../../kernel/context'
import type { OtherWords } from '../../kernel/words'
import { nameOf } from './languageEntry.catalog'

export type Override = Required<OtherWords> & {
  version: number
  changedAt: string
  changedBy: string | null
}

/** What this installation says otherwise, by name; few, however long the product lives. */
export async function readOverrides(db: Reader): Promise<Map<string, Override>> {
  const found = await sql<Override>`
    select o.namespace, o.key, o.zh, o.en, o.fr, o.ko, o.version, to_json(o.changed_at) #>> '{}' as "changedAt",
      u.display_name as "changedBy"
    from text_override o left join app_user u on u.id = o.changed_by order by o.namespace, o.key`.execute(db)
  return new Map(found.rows.map((row) => [nameOf(row), row]))
}

export async function readVersion(db: Reader): Promise<number> {
  const found = await sql<{ number: number }>`select number from text_version`.execute(db)
  return found.rows[0]?.number ?? 0
}

/** Raises the version and so keeps others who change words waiting until this is committed. */
export async function lockWords(tx: Tx): Promise<void> {
  await sql`update text_version set number = number + 1`.execute(tx)
}

export type Said = { namespace: string; key: string } & Record<Language, string | null>

/** A row without any text is no override: it goes. @returns the version of the row, 0 where it is gone */
export async function put(tx: Tx, { namespace, key, zh, en, fr, ko }: Said, by: { userId: number; at: Date }) {
  if (zh === null && en === null && fr === null && ko === null) {
    await sql`delete from text_override where namespace = ${namespace} and key = ${key}`.execute(tx)
    return 0
  }
  const made = await sql<{ version: number }>`
    insert into text_override (namespace, key, zh, en, fr, ko, changed_at, changed_by)
    values (${namespace}, ${key}, ${zh}, ${en}, ${fr}, ${ko}, ${by.at}, ${by.userId})
    on conflict (namespace, key) do update set zh = excluded.zh, en = excluded.en, fr = excluded.fr, ko = excluded.ko,
      changed_at = excluded.changed_at, changed_by = excluded.changed_by, version = text_override.version + 1
    returning version`.execute(tx)
  return made.rows[0]?.version ?? 0
}
