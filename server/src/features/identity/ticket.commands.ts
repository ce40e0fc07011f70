import { randomBytes } from 'node:crypto'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type { onLoginSSO } from '@aisle/contract/identity/session'
import { b64u } from '@aisle/contract/identity/signin'
import { type createTicket, type listOtherSystems, otherSystems } from '@aisle/contract/identity/sso'
import { tileLinks } from '@aisle/contract/system/settings'
import type { CallContext, QueryContext } from '../../kernel/context'
import { refuse } from '../../kernel/refuse'
import { settingOf } from '../../kernel/settings'
import { hashToken } from '../../kernel/token'
import * as accountStore from './account.store'
import { admit, welcome } from './admission.commands'
import * as ticketStore from './ticket.store'

const LIVES_S = 30

export async function systems({ actor, db }: QueryContext): Promise<OutputOf<typeof listOtherSystems>> {
  const items: OutputOf<typeof listOtherSystems>['items'] = []
  for (const system of otherSystems) {
    const address = await settingOf(db, tileLinks[system], actor.merchantId)
    items.push({ system, isConfigured: address !== null })
  }
  return { items }
}

/**
 * The other system's address with a ticket in the place of the session key: an address ends in histories and logs,
 * where a ticket that was used is worth nothing.
 */
export async function issue(
  ctx: QueryContext,
  { system }: InputOf<typeof createTicket>,
): Promise<OutputOf<typeof createTicket>> {
  const { actor, db } = ctx
  const configured = await settingOf(db, tileLinks[system], actor.merchantId)
  if (configured === null) return refuse('ticket.notConfigured')
  const ticket = b64u(randomBytes(32))
  await ticketStore.insert(db, {
    ticketHash: hashToken(ticket),
    userId: actor.userId,
    openedBy: actor.tokenHash,
    audience: audienceOf(system, configured, ctx.origin),
    expiresAt: new Date(ctx.now().getTime() + LIVES_S * 1000),
  })
  ctx.services.log.info({ traceId: ctx.traceId, userId: actor.userId, system }, 'hand-over ticket issued')
  const address = new URL(configured)
  address.searchParams.set('ticket', ticket)
  address.searchParams.set('userid', String(actor.userId))
  return { address: address.href, exp: LIVES_S }
}

/** Of tickets that /loginSilent of this very server takes, which is how another door of it is opened. */
const OWN_AUDIENCE = 'aisle'

const audienceOf = (system: string, configured: string, origin: string): string =>
  new URL(configured).origin === origin ? OWN_AUDIENCE : system

/** Only for whom it was made; a ticket that comes to the wrong place is burnt there. */
export async function redeem(
  ctx: CallContext,
  { ticket = '', audience = OWN_AUDIENCE }: InputOf<typeof onLoginSSO>,
): Promise<OutputOf<typeof onLoginSSO>> {
  const taken = await ticketStore.take(ctx.services.db, hashToken(ticket), ctx.now())
  if (taken?.audience !== audience) return refuse('signIn.ticketInvalid')
  const account = await accountStore.findById(ctx.services.db, taken.userId)
  if (!account?.isEnabled || account.mustChange) return refuse('signIn.ticketInvalid')
  const { endsAt } = taken
  const admitted = await ctx.services.db.transaction().execute((tx) => admit(tx, ctx, account, { endsAt }))
  return { ...(await welcome(ctx, account, admitted)), customData: { audience } }
}
