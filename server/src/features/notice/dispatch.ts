import type { Language } from '@aisle/contract/kernel/text'
import type { Channel } from '@aisle/contract/notice/messageType'
import type { Quiet } from '@aisle/contract/notice/pushSetting'
import { quietHours } from '@aisle/contract/system/settings'
import { sql } from 'kysely'
import { rows } from '../../db/rows'
import { announce } from '../../kernel/announce'
import type { Reader } from '../../kernel/context'
import { addJob } from '../../kernel/jobs'
import { DELIVER } from '../../kernel/outbox'
import { settingOf } from '../../kernel/settings'
import { afterQuiet } from './quiet.rules'

export type Dispatch = {
  type: { id: number; code: string; urgency: 'now' | 'canWait' }
  userIds: readonly number[]
  channels: readonly Channel[]
  words: (language: Language) => { title: string; body: string }
  vars: Readonly<Record<string, string>> | null
  /** With it each person gets the message once a channel, however often it is dispatched. */
  reference: string | null
  notificationId: number | null
  at: Date
}

type Person = {
  id: number
  merchantId: number
  timeZone: string
  language: Language
  phone: string | null
  email: string | null
  isMuted: boolean
  quiet: Quiet | null
}

/** Writes one message a person and channel in a few statements, as each person wants to be told. */
export async function dispatch(db: Reader, message: Dispatch): Promise<void> {
  const people = await peopleOf(db, message)
  const merchantQuiet = await quietOf(db, people, message)
  const written = people.flatMap((person) => {
    const quiet = person.quiet ?? merchantQuiet.get(person.merchantId) ?? null
    return channelsFor(person, message).map(([channel, receiver]) => ({
      channel,
      receiver,
      merchantId: person.merchantId,
      userId: person.id,
      ...message.words(person.language),
      reference: message.reference && `${message.reference}:${person.id}:${channel}`,
      state: channel === 'web' ? 'sent' : 'waiting',
      nextTryAt: goesAt(channel, quiet, person, message).toISOString(),
      sentAt: channel === 'web' ? message.at.toISOString() : null,
    }))
  })
  if (written.length === 0) return
  const table = rows('w', written, {
    channel: 'text',
    receiver: 'text',
    merchantId: 'bigint',
    userId: 'bigint',
    title: 'text',
    body: 'text',
    reference: 'text',
    state: 'text',
    nextTryAt: 'timestamptz',
    sentAt: 'timestamptz',
  })
  await sql`insert into outbox_message
      (type, vars, notification_id, created_at, channel, receiver, merchant_id, user_id, title, body, reference, state,
        next_try_at, sent_at)
    select ${message.type.code}, ${message.vars && JSON.stringify(message.vars)}::jsonb,
      ${message.notificationId}::bigint, ${message.at}::timestamptz, w.* from ${table}
    on conflict (reference) do nothing`.execute(db)
  const onWeb = written.filter(({ channel }) => channel === 'web').map(({ userId }) => userId)
  if (onWeb.length > 0) await announce(db, { topic: 'messages', userIds: onWeb })
  if (onWeb.length < written.length) await addJob(db, DELIVER)
}

/** The bell makes no noise, so only what leaves the house waits or is muted. */
function goesAt(channel: Channel, quiet: Quiet | null, { timeZone }: Person, { type, at }: Dispatch): Date {
  return channel === 'web' || type.urgency === 'now' ? at : afterQuiet(quiet, timeZone, at)
}

function channelsFor(person: Person, { channels }: Dispatch): [Channel, string][] {
  return channels.flatMap((channel): [Channel, string][] => {
    if (channel === 'web') return [[channel, '']]
    if (person.isMuted) return []
    const receiver = channel === 'sms' ? person.phone : person.email
    return receiver ? [[channel, receiver]] : []
  })
}

async function peopleOf(db: Reader, { userIds, type }: Dispatch): Promise<Person[]> {
  const found = await sql<Person>`
    select u.id, u.merchant_id as "merchantId", m.time_zone as "timeZone", u.language, u.phone, u.email,
      ${type.urgency === 'canWait'} and exists (select 1 from push_mute where user_id = u.id and type_id = ${type.id})
        as "isMuted",
      (select jsonb_build_object('from', quiet_from, 'to', quiet_to) from push_quiet where user_id = u.id) as quiet
    from app_user u join merchant m on m.id = u.merchant_id
    where u.id = any(${[...userIds]}::bigint[]) and u.state = 'active'
    order by u.id`.execute(db)
  return found.rows
}

async function quietOf(db: Reader, people: readonly Person[], { type }: Dispatch): Promise<Map<number, Quiet | null>> {
  const known = new Map<number, Quiet | null>()
  if (type.urgency === 'now') return known
  for (const id of new Set(people.map(({ merchantId }) => merchantId))) {
    known.set(id, await settingOf(db, quietHours, id))
  }
  return known
}
