import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type {
  confirmSecondFactor,
  getOwnSecondFactor,
  resetSecondFactor,
  startSecondFactor,
} from '@aisle/contract/identity/secondFactor'
import type { CommandContext, QueryContext, Tx } from '../../../kernel/context'
import { send } from '../../../kernel/outbox'
import { existing, refuse } from '../../../kernel/refuse'
import { sightOf } from '../../../kernel/scope'
import { word } from '../../../kernel/words'
import { endAllBegun } from '../account/account.commands'
import type { Account } from '../account/account.store'
import * as accountStore from '../account/account.store'
import { refuseGreater, refuseOwn } from '../ticket/greater'
import { proveOwnPassword } from '../password/ownPassword.commands'
import {
  counterOf,
  isRequiredOf,
  renewCodes,
  SETUP_LIVES_S,
  sealSecret,
  takeCode,
  turnOn,
} from './secondFactor.commands'
import * as factorStore from './secondFactor.store'
import { newSecret, uriOf } from './totp.rules'
import { countTry } from '../signIn/try.commands'

export async function state({ actor, db }: QueryContext): Promise<OutputOf<typeof getOwnSecondFactor>> {
  const factor = await factorStore.find(db, actor.userId)
  return {
    isOn: factor !== undefined,
    since: factor?.since.toISOString() ?? null,
    recoveryLeft: factor?.recoveryLeft ?? 0,
    isRequired: await isRequiredOf(db, actor),
  }
}

export async function start(
  ctx: CommandContext,
  { proof }: InputOf<typeof startSecondFactor>,
): Promise<OutputOf<typeof startSecondFactor>> {
  const { account, userId } = ctx.actor
  await proveOwnPassword(ctx, proof)
  if (await factorStore.find(ctx.db, userId)) return refuse('secondFactor.alreadyOn')
  const secret = newSecret()
  const expiresAt = new Date(ctx.now().getTime() + SETUP_LIVES_S * 1000)
  await factorStore.putSetup(ctx.tx, userId, sealSecret(ctx.services.keys, userId, secret), expiresAt)
  await ctx.audit(entryOf(ctx.actor, 'begun'))
  return { secret, uri: uriOf(secret, account), exp: SETUP_LIVES_S }
}

type Code = InputOf<typeof confirmSecondFactor>

export async function confirm(ctx: CommandContext, { code }: Code): Promise<OutputOf<typeof confirmSecondFactor>> {
  const { userId } = ctx.actor
  const sealed = await factorStore.findSetup(ctx.db, userId, ctx.now())
  if (!sealed) return refuse('secondFactor.setupOver')
  let recoveryCodes: string[] | null = null
  await tried(ctx, async (tx) => {
    recoveryCodes = await turnOn(tx, ctx, userId, sealed, code)
    return recoveryCodes !== null
  })
  await endOthers(ctx)
  await ctx.audit(entryOf(ctx.actor, 'on'))
  return { recoveryCodes: recoveryCodes ?? [] }
}

export async function renew(ctx: CommandContext, { code }: Code): Promise<OutputOf<typeof confirmSecondFactor>> {
  await proveFactor(ctx, code)
  const recoveryCodes = await renewCodes(ctx.tx, ctx.services.keys, ctx.actor.userId)
  await endOthers(ctx)
  await ctx.audit(entryOf(ctx.actor, 'recovery codes renewed'))
  return { recoveryCodes }
}

export async function turnOff(ctx: CommandContext, { code }: Code): Promise<Record<string, never>> {
  await proveFactor(ctx, code)
  await factorStore.remove(ctx.tx, ctx.actor.userId)
  await endOthers(ctx)
  await ctx.audit(entryOf(ctx.actor, 'off'))
  return {}
}

/** Whatever was begun under the old factor or without one, but for the browser that changes it. */
async function endOthers({ actor, tx, now }: CommandContext): Promise<void> {
  await endAllBegun(tx, actor.userId, 'sign_out', now(), { kept: actor.tokenHash })
}

/** An administrator vouches for who lost telephone and codes; the owner hears of it, and every session ends. */
export async function resetOf(
  ctx: CommandContext,
  { id, reason }: InputOf<typeof resetSecondFactor>,
): Promise<OutputOf<typeof resetSecondFactor>> {
  const account = existing(await accountStore.findInSight(ctx.db, sightOf(ctx.actor), id))
  refuseOwn(ctx.actor, id)
  await refuseGreater(ctx, id)
  const wasOn = await factorStore.remove(ctx.tx, id)
  await endAllBegun(ctx.tx, id, 'administrator', ctx.now())
  await tellReset(ctx, account)
  await ctx.audit({ ...entryOf(account, 'reset'), after: { secondFactor: 'reset', wasOn, reason } })
  return { wasOn }
}

async function tellReset(ctx: CommandContext, { language, merchantId, userId }: Account): Promise<void> {
  const vars = { by: ctx.actor.displayName }
  await send(ctx.tx, ctx.services.keys, {
    type: 'secondFactor.reset',
    channel: 'web',
    merchantId,
    userId,
    receiver: '',
    title: word(language, 'identity', 'message.factorReset.title'),
    body: word(language, 'identity', 'message.factorReset.body', vars),
    vars,
    language,
    at: ctx.now(),
  })
}

async function proveFactor(ctx: CommandContext, code: string): Promise<void> {
  const { userId } = ctx.actor
  if (!(await factorStore.find(ctx.db, userId))) return refuse('secondFactor.off')
  await tried(ctx, (tx) => takeCode(tx, ctx, userId, code))
}

/** In a transaction of its own, so that the try counts although the command is refused. */
async function tried(ctx: CommandContext, isRight: (tx: Tx) => Promise<boolean>): Promise<void> {
  const outcome = await ctx.services.db
    .transaction()
    .execute((tx) => countTry(tx, counterOf(ctx.actor.userId), ctx.now(), () => isRight(tx)))
  if (outcome === 'slowDown') return refuse('secondFactor.slowDown')
  if (outcome === 'wrong') return refuse('secondFactor.wrong')
}

const entryOf = ({ merchantId, userId }: { merchantId: number; userId: number }, secondFactor: string) => ({
  merchantId,
  objectKind: 'user',
  objectId: userId,
  before: null,
  after: { secondFactor },
})
