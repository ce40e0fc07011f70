import { normaliseAccount } from '@aisle/contract/identity/signin'
import type { FirstPassword } from '@aisle/contract/identity/password'
import type { UserKind } from '@aisle/contract/identity/permissions'
import type { Language } from '@aisle/contract/kernel/text'
import type { CommandContext } from '../../../kernel/context'
import type { Refusal } from '../../../kernel/refuse'
import { givePassword } from '../password/firstPassword'
import { addUser } from './user.writes'

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
  const user = { merchantId, account, name, kind, phone, language }
  const userId = await addUser(ctx.tx, user, ctx.now(), taken)
  return { userId, firstPassword: await givePassword(ctx, { ...person, id: userId, account }, 'password.initial') }
}
