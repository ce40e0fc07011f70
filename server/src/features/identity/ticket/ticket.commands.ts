import { randomBytes } from 'node:crypto'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type { onLoginSSO } from '@aisle/contract/identity/session'
import { b64u } from '@aisle/contract/identity/signin'
import { type createTicket, type listOtherSystems, otherSystems } from '@aisle/contract/identity/sso'
import { tileLinks } from '@aisle/contract/system/settings'
import type { CallContext, QueryContext, Tx } from '../../../kernel/context'
import { refuse } from '../../../kernel/refuse'
import { settingOf } from '../../../kernel/settings'
import { hashToken } from '../../../kernel/token'
import type { Account } from '../account/account.store'
import * as accountStore from '../account/account.store'
import { type Admitted, admit, welcome } from '../signIn/admission.commands'
import * as sessionStore from '../session/session.store'
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

/**
 * Only for whom it was made; a ticket that comes to the wrong place is burnt there. Another system hears who came, and
 * opens a session of its own: what was made for it opens nothing here.
 */
export async function redeem(
  ctx: CallContext,
  { ticket = '', audience = OWN_AUDIENCE }: InputOf<typeof onLoginSSO>,
): Promise<OutputOf<typeof onLoginSSO>> {
  const taken = await ctx.services.db.transaction().execute((tx) => take(tx, ctx, hashToken(ticket), audience))
  if (!taken) return refuse('signIn.ticketInvalid')
  const { account, admitted } = taken
  const customData = { audience }
  if (admitted) return { ...(await welcome(ctx, account, admitted)), customData }
  const userInfo = { userid: String(account.userId), accountname: account.account, menuJsonTree: [] }
  return { code: '', msg: '', userInfo, customData }
}

type Taken = { account: Account; admitted: Admitted | null }

/** Refuses nothing itself: a refusal would give the ticket back. */
async function take(tx: Tx, ctx: CallContext, ticketHash: Buffer, audience: string): Promise<Taken | null> {
  const userId = await ticketStore.userOf(tx, ticketHash)
  if (userId === undefined) return null
  await sessionStore.holdUser(tx, userId)
  const taken = await ticketStore.take(tx, ticketHash, ctx.now())
  const account = await accountStore.findById(tx, userId)
  if (taken?.audience !== audience || !account?.isEnabled || account.mustChange) return null
  const isHere = audience === OWN_AUDIENCE
  return { account, admitted: isHere ? await admit(tx, ctx, account, { endsAt: taken.endsAt }) : null }
}
