import { createHmac, randomInt } from 'node:crypto'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type { sendPhoneCode } from '@aisle/contract/identity/password'
import { equalBytes } from '@aisle/contract/identity/signin'
import type { AuthKeys, CallContext, Tx } from '../../../kernel/context'
import { send } from '../../../kernel/outbox'
import { word } from '../../../kernel/words'
import type { Account } from '../account/account.store'
import * as accountStore from '../account/account.store'
import * as codeStore from './phoneCode.store'
import { subnetOf } from '../signIn/subnet.rules'
import { afterFailure, isBlocked } from '../signIn/throttle.rules'
import * as throttleStore from '../signIn/throttle.store'

const LIVES_S = 300
const AGAIN_AFTER_S = 60
const MINUTE_S = 60

/** What was sent, what was withheld and what nobody owns are answered alike: a stranger learns nothing of a phone. */
export async function offerPhoneCode(
  ctx: CallContext,
  { phone }: InputOf<typeof sendPhoneCode>,
): Promise<OutputOf<typeof sendPhoneCode>> {
  await ctx.services.db.transaction().execute(async (tx) => {
    const isAllowed = await mayAsk(tx, ctx, phone)
    if (!isAllowed) ctx.services.log.warn({ traceId: ctx.traceId, ip: ctx.ip }, 'phone code withheld')
    if (isAllowed) await sendCode(tx, ctx, phone)
  })
  return { exp: LIVES_S, againAfter: AGAIN_AFTER_S }
}

async function mayAsk(tx: Tx, ctx: CallContext, phone: string): Promise<boolean> {
  const now = ctx.now()
  const keys = { phone: `sms|${phone}`, address: `smsFrom|${subnetOf(ctx.ip)}` }
  const held = await throttleStore.lock(tx, Object.values(keys), now)
  const [ofPhone, ofAddress] = [held.get(keys.phone), held.get(keys.address)]
  if (!ofPhone || !ofAddress) throw new Error('the locked counters are missing')
  if (isBlocked(ofPhone, now) || isBlocked(ofAddress, now)) return false
  await throttleStore.save(tx, [afterFailure(ofPhone, now, 'phone'), afterFailure(ofAddress, now, 'phoneAddress')])
  return true
}

/** A phone that nobody owns gets a row too, which only time tells apart from another. */
async function sendCode(tx: Tx, ctx: CallContext, phone: string): Promise<void> {
  const { keys } = ctx.services
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  await codeStore.put(tx, phone, macOf(keys, phone, code), new Date(ctx.now().getTime() + LIVES_S * 1000))
  const [owner] = await accountStore.listByPhone(tx, { kind: 'all' }, phone)
  if (owner) await sendTo(tx, ctx, owner, phone, code)
}

async function sendTo(tx: Tx, ctx: CallContext, owner: Account, phone: string, code: string): Promise<void> {
  const { language, merchantId, userId } = owner
  const vars = { code, minutes: String(LIVES_S / MINUTE_S) }
  await send(tx, ctx.services.keys, {
    type: 'password.code',
    channel: 'sms',
    merchantId,
    userId,
    receiver: phone,
    title: word(language, 'identity', 'message.phoneCode.title'),
    body: word(language, 'identity', 'message.phoneCode.body', vars),
    vars,
    language,
    isSecret: true,
    at: ctx.now(),
  })
}

/**
 * Whether this is the code of the phone. Wrong ones are counted, and after five the code is worth nothing.
 * @param tx must commit whatever comes of it @param use once: a reset takes the code with it
 */
export async function checkPhoneCode(
  tx: Tx,
  ctx: CallContext,
  { phone, checkCode }: { phone: string; checkCode: string },
  use: boolean,
): Promise<boolean> {
  const held = await codeStore.lock(tx, phone, ctx.now())
  if (!held || held.failures >= codeStore.MOST_WRONG_CODES) return false
  if (!equalBytes(held.mac, macOf(ctx.services.keys, phone, checkCode))) {
    await codeStore.fail(tx, phone)
    return false
  }
  if (use) await codeStore.remove(tx, phone)
  return true
}

/** Six digits are tried through in no time, so what is kept needs the key file. */
const macOf = (keys: Pick<AuthKeys, 'device'>, phone: string, code: string): Buffer =>
  createHmac('sha256', keys.device).update(`phone|v1|${phone}|${code}`).digest()
