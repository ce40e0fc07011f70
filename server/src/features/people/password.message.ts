import type { Language } from '@aisle/contract/kernel/text'
import { makeInitialCredential } from '../identity/public'
import type { CommandContext } from '../../kernel/context'
import { send } from '../../kernel/outbox'
import { word } from '../../kernel/words'

type Receiver = { id: number; merchantId: number; account: string; phone: string; language: Language }

/** A password of the server's own making goes to the owner's phone; nobody here gets to read it. */
export async function sendPassword(
  ctx: CommandContext,
  { id, merchantId, account, phone, language }: Receiver,
  type: 'password.initial' | 'password.reset',
): Promise<void> {
  const { keys } = ctx.services
  const password = await makeInitialCredential(ctx.tx, keys, { userId: id, account, at: ctx.now() })
  const vars = { account, password }
  await send(ctx.tx, keys, {
    type,
    channel: 'sms',
    merchantId,
    userId: id,
    receiver: phone,
    title: word(language, 'people', 'message.title'),
    body: word(language, 'people', 'message.password', vars),
    vars,
    language,
    isSecret: true,
    at: ctx.now(),
  })
}
