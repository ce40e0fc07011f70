import { sql } from 'kysely'
import type { CommandContext } from '../../../kernel/context'
import { revokeFromOthers } from './grant.store'

type Left = { id: number; merchantId: number }
type Owner = { id: number; path: readonly number[] }

/**
 * What hangs on machines by the word of merchants who are not above them any more falls away when they go to another
 * one: who was shown them by an owner that is gone, the accounts that their customers are to follow, and groups and
 * assortments of others. What slices above keep of a machine follows by their own triggers.
 * @param machines with the merchants that they had
 */
export async function leaveBehind(ctx: CommandContext, machines: readonly Left[], owner: Owner): Promise<void> {
  const ids = machines.map(({ id }) => id)
  const isForeign = (table: string, column: string) =>
    sql`t.machine_id = any(${ids}::bigint[]) and not exists (select 1 from ${sql.table(table)} o
      where o.id = t.${sql.ref(column)} and o.merchant_id = any(${[...owner.path]}::bigint[]))`
  const hanging = [
    ['official_account_machine', 'official_account', 'account_id'],
    ['machine_group_member', 'machine_group', 'group_id'],
    ['assortment_machine', 'assortment', 'assortment_id'],
  ] as const
  for (const [ties, table, column] of hanging) {
    await sql`delete from ${sql.table(ties)} t where ${isForeign(table, column)}`.execute(ctx.tx)
  }
  // People of the old owner see no more of them by themselves; other merchants would, to whom it gave them.
  const sold = machines.filter(({ merchantId }) => !owner.path.includes(merchantId)).map(({ id }) => id)
  await revokeFromOthers(ctx.tx, sold, owner.path, { userId: ctx.actor.userId, at: ctx.now() })
}
