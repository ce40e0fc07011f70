import { type RawBuilder, sql } from 'kysely'

/**
 * Whether an order `o` is a play that was drawn or may still be. One that is void never took place, so that its money
 * is no stake.
 */
export const isPlayed: RawBuilder<boolean> = sql<boolean>`(o.is_lottery and not exists (
  select 1 from lottery_play v where v.id = o.id and v.state = 'void'))`
