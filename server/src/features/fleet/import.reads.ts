import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { merchantInSight, type Sight } from '../../kernel/scope'
import type { SheetRow } from './import.sheet'

type Owned = { id: number; merchantId: number; name: string }
/** What a sheet names, as far as it is in sight, and the codes that are taken by anybody. */
export type ImportWorld = {
  merchants: ReadonlyMap<string, { id: number; name: string; path: readonly number[] }>
  points: ReadonlyMap<string, readonly Owned[]>
  routes: ReadonlyMap<string, readonly Owned[]>
  takenCodes: ReadonlySet<string>
}

/** Four statements, however many rows. A merchant goes by its code or its name. */
export async function findImportWorld(db: Reader, sight: Sight, rows: readonly SheetRow[]): Promise<ImportWorld> {
  const all = (column: string) => [...new Set(rows.map(({ cells }) => cells[column] ?? '').filter(Boolean))]
  const merchants = await sql<{ id: number; code: string; name: string; path: number[] }>`
    select c.id, c.code, c.name, c.path from merchant c
    where (c.code = any(${all('merchant')}::text[]) or c.name = any(${all('merchant')}::text[]))
      and ${merchantInSight(sight, sql`c.id`)} order by c.id desc`.execute(db)
  const owned = async (table: 'point' | 'route', names: readonly string[]) =>
    (
      await sql<Owned>`select id, merchant_id as "merchantId", name from ${sql.table(table)}
        where name = any(${[...names]}::text[]) and ${merchantInSight(sight, sql`merchant_id`)}`.execute(db)
    ).rows
  const taken = await sql<{ code: string }>`select code from machine
    where code = any(${all('code')}::text[])`.execute(db)
  return {
    merchants: new Map(merchants.rows.flatMap((each) => [[each.name, each] as const, [each.code, each] as const])),
    points: byName(await owned('point', all('point'))),
    routes: byName(await owned('route', all('route'))),
    takenCodes: new Set(taken.rows.map(({ code }) => code)),
  }
}

function byName(all: readonly Owned[]): Map<string, Owned[]> {
  const grouped = new Map<string, Owned[]>()
  for (const each of all) grouped.set(each.name, [...(grouped.get(each.name) ?? []), each])
  return grouped
}
