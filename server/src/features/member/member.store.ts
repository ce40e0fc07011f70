import { memberState } from '@aisle/contract/member/member'
import { type Selectable, sql } from 'kysely'
import type { Tables } from '../../db/tables'
import { businessTime, PLATFORM_TIME_ZONE } from '../../kernel/businessDay'
import type { CommandContext } from '../../kernel/context'
import { existing, refuse } from '../../kernel/refuse'
import { merchantInSight, sightOf } from '../../kernel/scope'
import { untyped } from '../../kernel/states'
import { lacksConsent } from './member.rules'

/** A row of a merchant in sight, alone with it until the transaction ends. @throws Refusal request.notFound */
export async function holdOwned<T extends 'member' | 'memberCard' | 'cardApplication'>(
  ctx: CommandContext,
  table: T,
  id: number,
): Promise<Selectable<Tables[T]>> {
  const found = await untyped(ctx.tx)
    .selectFrom<string>(table)
    .selectAll()
    .where('id', '=', id)
    .where(merchantInSight(sightOf(ctx.actor), sql`merchant_id`))
    .forUpdate()
    .executeTakeFirst()
  return existing(found as Selectable<Tables[T]> | undefined)
}

export type Holder = Pick<Selectable<Tables['member']>, 'number' | 'state' | 'birthday' | 'consentedBy'>

/** Whether a card may bear the member's name. @throws Refusal card.memberStopped, card.consent */
export function refuseUnable(ctx: CommandContext, member: Holder): void {
  const { number } = member
  if (!memberState.is(member.state, 'active')) refuse('card.memberStopped', { number })
  if (lacksConsent(member, businessTime(ctx.now(), PLATFORM_TIME_ZONE).day)) refuse('card.consent', { number })
}
