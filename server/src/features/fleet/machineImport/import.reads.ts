import { sql } from 'kysely'
import type { Reader } from '../../../kernel/context'
import { grouped } from '../../../kernel/must'
import { merchantInSight, type Sight } from '../../../kernel/scope'
import type { SheetRow } from '../../../kernel/sheet/sheet.form'

type Owned = { id: number; merchantId: number; name: string; isStopped: boolean }
type Named = { id: number; code: string; name: string; path: number[]; hasPharmacy: boolean }
/** What a sheet names, as far as it is in sight, and the codes that are taken by anybody. */
export type ImportWorld = {
  /** By code, and by name where no code says so: several may have one name. */
  merchants: ReadonlyMap<string, readonly Named[]>
  points: ReadonlyMap<string, readonly Owned[]>
  routes: ReadonlyMap<string, readonly Owned[]>
  takenCodes: ReadonlySet<string>
}

/** Four statements, however many rows. A merchant goes by its code or its name. */
export async function findImportWorld(db: Reader, sight: Sight, rows: readonly SheetRow[]): Promise<ImportWorld> {
  const all = (column: string) => [...new Set(rows.map(({ cells }) => cells[column] ?? '').filter(Boolean))]
  const merchants = await sql<Named>`
    select c.id, c.code, c.name, c.path, c.has_pharmacy as "hasPharmacy" from merchant c
    where (c.code = any(${all('merchant')}::text[]) or c.name = any(${all('merchant')}::text[]))
      and ${merchantInSight(sight, sql`c.id`)} order by c.id`.execute(db)
  const owned = async (table: 'point' | 'route', names: readonly string[]) =>
    (
      await sql<Owned>`select id, merchant_id as "merchantId", name,
          ${table === 'point' ? sql`state = 'stopped'` : sql`false`} as "isStopped" from ${sql.table(table)}
        where name = any(${[...names]}::text[]) and ${merchantInSight(sight, sql`merchant_id`)}`.execute(db)
    ).rows
  const taken = await sql<{ code: string }>`select code from machine
    where code = any(${all('code')}::text[])`.execute(db)
  return {
    merchants: byAddress(merchants.rows),
    points: byName(await owned('point', all('point'))),
    routes: byName(await owned('route', all('route'))),
    takenCodes: new Set(taken.rows.map(({ code }) => code)),
  }
}

const byName = <T extends { name: string }>(all: readonly T[]): Map<string, T[]> => grouped(all, ({ name }) => name)

/** A code says more than a name that is written the same. */
function byAddress(merchants: readonly Named[]): Map<string, Named[]> {
  const found = byName(merchants)
  for (const each of merchants) found.set(each.code, [each])
  return found
}
