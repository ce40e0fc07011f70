import { normaliseAccount } from '@aisle/contract/identity/signin'
import type { UserKind } from '@aisle/contract/identity/permissions'
import type { Language } from '@aisle/contract/kernel/text'
import { sql } from 'kysely'
import { refusedBy } from '../../kernel/constraint'
import type { CommandContext } from '../../kernel/context'
import { send } from '../../kernel/outbox'
import type { Refusal } from '../../kernel/refuse'
import { word } from '../../kernel/words'
import { makeInitialCredential } from './initialCredential'

export type NewAccount = {
  merchantId: number
  account: string
  name: string
  kind: UserKind
  phone: string
  language: Language
}

/**
 * An account of somebody new, whose initial password goes to their phone and to nobody else.
 * @param taken the refusal of the caller's domain for an account that somebody has
 */
export async function makeAccount(ctx: CommandContext, person: NewAccount, taken: () => Refusal): Promise<number> {
  const { merchantId, name, kind, phone, language } = person
  const { keys } = ctx.services
  const account = normaliseAccount(person.account)
  const made = await refusedBy(
    'app_user_account_key',
    sql<{ id: number }>`insert into app_user (merchant_id, account, display_name, kind, phone, language, created_at)
      values (${merchantId}, ${account}, ${name}, ${kind}, ${phone}, ${language}, ${ctx.now()}) returning id`.execute(
      ctx.tx,
    ),
    taken,
  )
  const userId = made.rows[0]?.id
  if (userId === undefined) throw new Error('the account just written is missing')
  const password = await makeInitialCredential(ctx.tx, keys, { userId, account, at: ctx.now() })
  const vars = { account, password }
  await send(ctx.tx, keys, {
    type: 'password.initial',
    channel: 'sms',
    merchantId,
    userId,
    receiver: phone,
    title: word(language, 'people', 'message.title'),
    body: word(language, 'people', 'message.password', vars),
    vars,
    language,
    isSecret: true,
    at: ctx.now(),
  })
  return userId
}
