import { normaliseAccount } from '@aisle/contract/identity/signin'
import type { FirstPassword } from '@aisle/contract/identity/password'
import type { UserKind } from '@aisle/contract/identity/permissions'
import type { Language } from '@aisle/contract/kernel/text'
import { sql } from 'kysely'
import { refusedBy } from '../../kernel/constraint'
import type { CommandContext } from '../../kernel/context'
import type { Refusal } from '../../kernel/refuse'
import { givePassword } from './firstPassword'

export type NewAccount = {
  merchantId: number
  account: string
  name: string
  kind: UserKind
  phone: string
  language: Language
}

/**
 * An account of somebody new, with its first password on the way.
 * @param taken the refusal of the caller's domain for an account that somebody has
 */
export async function makeAccount(
  ctx: CommandContext,
  person: NewAccount,
  taken: () => Refusal,
): Promise<{ userId: number; firstPassword: FirstPassword }> {
  const { merchantId, name, kind, phone, language } = person
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
  return { userId, firstPassword: await givePassword(ctx, { ...person, id: userId, account }, 'password.initial') }
}
