import type { FirstPassword } from '@aisle/contract/identity/password'
import type { Language } from '@aisle/contract/kernel/text'
import type { CommandContext } from '../../../kernel/context'
import { carriedChannels, masked, send } from '../../../kernel/outbox'
import { word } from '../../../kernel/words'
import { makeInitialCredential } from './initialCredential'

type Owner = {
  id: number
  merchantId: number
  /** As `normaliseAccount` gives it. */
  account: string
  name: string
  phone: string
  language: Language
}

/**
 * Gives somebody a password of the server's own making. It goes to the owner's phone, where nobody else reads it; where
 * no SMS leaves the house it is in the answer to whoever asked for it and kept nowhere: its route keeps `nothing`.
 */
export async function givePassword(
  ctx: CommandContext,
  owner: Owner,
  type: 'password.initial' | 'password.reset',
): Promise<FirstPassword> {
  const { id: userId, merchantId, account, name, phone, language } = owner
  const { keys } = ctx.services
  const at = ctx.now()
  const password = await makeInitialCredential(ctx.tx, keys, { userId, account, at })
  const answer = { account, name, phone: masked(phone) }
  if (!(await carriedChannels(ctx.tx)).includes('sms')) return { ...answer, password }
  const vars = { account, password }
  await send(ctx.tx, keys, {
    type,
    channel: 'sms',
    merchantId,
    userId,
    receiver: phone,
    title: word(language, 'people', 'message.title'),
    body: word(language, 'people', 'message.password', vars),
    vars,
    language,
    isSecret: true,
    at,
  })
  return { ...answer, password: null }
}
