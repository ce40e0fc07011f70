import { sql } from 'kysely'
import type { Reader } from '../../../server/src/kernel/context'

/**
 * Plans of the platform that are listed, of every kind that prices single orders: some about a few products, some for
 * holders of cards, some about everything. None has a limit, which would make orders wait for each other.
 */
export async function listPlans(db: Reader, count: number): Promise<void> {
  await sql`insert into promotion_plan (id, merchant_id, name, state, created_at)
    select 1000 + n, 1, 'Plan ' || n, 'not_listed', now() from generate_series(1, ${count}::int) n`.execute(db)
  await sql`insert into promotion_plan_version (id, plan_id, number, kind, priority, stacks, paid_percent, amount_fen,
      pieces, least_fen, product_ids, levels, is_first_purchase, created_at, listed_at)
    select 1000 + n, 1000 + n, 1, kind, 1 + n % 9, n % 3 = 0,
      case when kind in ('rate', 'nth') then 70 + n % 25 end,
      case kind when 'amount' then 10 + n when 'threshold' then 100 + n end,
      case when kind = 'nth' then 2 end, case when kind = 'threshold' then 2000 + n end,
      case when n % 5 < 3 then array[1 + n % 50, 1 + n * 7 % 50]::bigint[] else '{}' end,
      case when n % 7 = 0 then '{2,3,4}'::smallint[] else '{}' end, false, now(), now()
    from generate_series(1, ${count}::int) n
    cross join lateral (select (array['rate', 'amount', 'nth', 'threshold'])[1 + n % 4] as kind) k`.execute(db)
  await sql`update promotion_plan set version_id = id, state = 'listed'`.execute(db)
  await sql`analyze promotion_plan, promotion_plan_version`.execute(db)
}
