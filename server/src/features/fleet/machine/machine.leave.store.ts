import { sql } from 'kysely'
import type { CommandContext } from '../../../kernel/context'

type Left = { id: number; merchantId: number }
type Owner = { id: number; path: readonly number[] }

/**
 * What hangs on machines by the word of merchants who are not above them any more falls away when they go to another
 * one: who was shown them by an owner that is gone, the accounts that their customers are to follow, and groups,
 * assortments and templates of others. A rule of a machine's own goes with it.
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
    ['template_use', 'template', 'template_id'],
  ] as const
  for (const [ties, table, column] of hanging) {
    await sql`delete from ${sql.table(ties)} t where ${isForeign(table, column)}`.execute(ctx.tx)
  }
  await sql`update stock_alarm_rule set merchant_id = ${owner.id}, version = version + 1
    where machine_id = any(${ids}::bigint[])`.execute(ctx.tx)
  await endGrants(
    ctx,
    machines.filter(({ merchantId }) => !owner.path.includes(merchantId)).map(({ id }) => id),
    owner,
  )
}

/** People of the old owner see no more of them by themselves; other merchants would, to whom it gave them. */
async function endGrants(ctx: CommandContext, ids: readonly number[], owner: Owner): Promise<void> {
  await sql`with gone as (
      delete from machine_grant_merchant
      where machine_id = any(${[...ids]}::bigint[]) and merchant_id <> all(${[...owner.path]}::bigint[])
      returning merchant_id, machine_id)
    insert into machine_grant_log (at, by_user_id, action, grantee, grantee_id, ends_at, machine_ids)
    select ${ctx.now()}, ${ctx.actor.userId}, 'revoke', 'merchant', merchant_id, null,
      array_agg(machine_id order by machine_id)
    from gone group by merchant_id`.execute(ctx.tx)
}
