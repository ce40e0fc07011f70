import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, type World } from '../testing/world'

let world: World
beforeAll(async () => {
  world = await openWorld(new Date('2026-11-20T04:00:00Z'))
})
afterAll(() => world.close())

const guarded = async () =>
  (
    await sql<{ name: string; isEmptyable: boolean }>`
      select c.relname as name, not bool_or(t.tgtype & 32 > 0) as "isEmptyable"
      from pg_trigger t join pg_class c on c.oid = t.tgrelid
      where not t.tgisinternal and not c.relispartition
      group by 1 having bool_or(t.tgname like '%\\_kept' and t.tgtype & 8 > 0) order by 1`.execute(world.services.db)
  ).rows

test('each table whose rows are kept against deletion is kept against being emptied', async () => {
  const facts = await guarded()
  expect(facts.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['audit_log', 'ledger_entry', 'ledger_transfer', 'refund_event', 'stock_move']),
  )
  expect(facts.filter(({ isEmptyable }) => isEmptyable)).toEqual([])
  for (const { name } of facts) {
    const emptied = sql`truncate ${sql.table(name)} cascade`.execute(world.services.db)
    await expect(emptied.then(() => name)).rejects.toThrow()
  }
})
