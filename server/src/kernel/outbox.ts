import type { Language } from '@aisle/contract/kernel/text'
import { sql } from 'kysely'
import { announce } from './announce'
import type { AuthKeys, Reader, Tx } from './context'
import { addJob } from './jobs'
import { seal } from './seal'

export type Channel = 'web' | 'sms' | 'email' | 'wechat'

/** The job of `notice` that hands messages to providers. */
export const DELIVER = 'notice.deliver'

/** A message to one person, written in the writer's transaction. The web's is there at once, the others by a job. */
export type Outgoing = {
  /** Of the message type that words it and that push settings speak of, e.g. `password.code`. */
  type: string
  channel: Channel
  merchantId: number
  /** Null for somebody who has no account. */
  userId: number | null
  /** A phone number, an e-mail address, '' for the web, or who follows an official account by its name for them. */
  receiver: string
  /** As it reads when the type has no words of its own. */
  title: string
  body: string
  /** What the words of the type name; an SMS provider gets them as the parameters of its template. */
  vars?: Readonly<Record<string, string>>
  /** Of the type's words; the receiver's own where it is left out. */
  language?: Language
  /** True for codes and passwords: kept sealed, masked in lists, deleted once sent. */
  isSecret?: boolean
  /** Sent once however often it is written. */
  reference?: string
  /** When it may go out at the earliest, such as after quiet hours; now where it is left out. */
  notBefore?: Date
  notificationId?: number
  /** The official account that tells it. */
  accountId?: number
  at: Date
}

type Words = { title: string; body: string }
/** What a secret row keeps sealed, and what delivery opens. */
export type SealedMessage = { body: string; vars: Readonly<Record<string, string>> | null }
export const sealedAbout = (receiver: string): string => `outbox:${receiver}`

export async function send(db: Reader, keys: AuthKeys, message: Outgoing): Promise<void> {
  const { type, channel, merchantId, userId, receiver, isSecret = false, reference = null, at } = message
  const { vars = null, notBefore = at, notificationId = null, accountId = null } = message
  const { title, body } = vars ? await wordsOf(db, message, vars) : message
  const sealed = isSecret ? seal(keys, sealedAbout(receiver), JSON.stringify({ body, vars })) : null
  const isWeb = channel === 'web'
  const written = await sql`insert into outbox_message
      (type, channel, merchant_id, user_id, receiver, title, body, sealed_body, is_secret, vars, reference,
        notification_id, account_id, state, created_at, next_try_at, sent_at)
    values (${type}, ${channel}, ${merchantId}, ${userId}, ${receiver}, ${title}, ${isSecret ? '' : body}, ${sealed},
      ${isSecret}, ${isSecret || !vars ? null : JSON.stringify(vars)}, ${reference}, ${notificationId}, ${accountId},
      ${isWeb ? 'sent' : 'waiting'}, ${at}, ${notBefore}, ${isWeb ? at : null})
    on conflict (reference) do nothing`.execute(db)
  if (written.numAffectedRows === 0n) return
  if (isWeb && userId !== null) await announce(db, { topic: 'messages', userIds: [userId] })
  if (!isWeb) await addJob(db, DELIVER)
}

/** To whoever a merchant was, which is gone. */
export async function dropMessages(tx: Tx, merchantId: number): Promise<void> {
  await sql`delete from outbox_message where merchant_id = ${merchantId}`.execute(tx)
}

/** The administrators' words for the type (page xtgl/xxlx) in the receiver's language, else those of the message. */
async function wordsOf(db: Reader, message: Outgoing, vars: Readonly<Record<string, string>>): Promise<Words> {
  const found = await sql<{ title: Record<string, string>; body: Record<string, string>; language: string | null }>`
    select title, body, (select language from app_user where id = ${message.userId}) as language
    from message_type where code = ${message.type}`.execute(db)
  const type = found.rows[0]
  const language = message.language ?? type?.language ?? 'zh'
  const [title, body] = [type?.title[language], type?.body[language]]
  if (!title || !body) return message
  // A title stands in lists and is not sealed.
  return { title: filled(title, message.isSecret ? {} : vars), body: filled(body, vars) }
}

/** Channels that leave the house by a provider that is on; the web needs none. */
export async function carriedChannels(db: Reader): Promise<Exclude<Channel, 'wechat'>[]> {
  const found = await sql<{ channel: 'sms' | 'email' }>`select channel from push_provider where is_on`.execute(db)
  return ['web', ...found.rows.map(({ channel }) => channel)]
}

/** A receiver as it is shown: enough to recognise, not enough to use. */
export function masked(receiver: string): string {
  const at = receiver.indexOf('@')
  if (at > 0) return `${receiver.slice(0, 1)}•••${receiver.slice(at)}`
  if (receiver.length < 7) return receiver
  return `${receiver.slice(0, 3)}••••${receiver.slice(-4)}`
}

/** `{{name}}` becomes its value; a name that has none is left out. */
export const filled = (template: string, vars: Readonly<Record<string, string>>): string =>
  template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => vars[name] ?? '')
