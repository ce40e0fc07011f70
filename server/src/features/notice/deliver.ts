import type { MessageChannel } from '@aisle/contract/notice/messageType'
import type { ProviderConfig } from '@aisle/contract/notice/pushSetting'
import { messageState } from '@aisle/contract/notice/push'
import { sql } from 'kysely'
import type { AuthKeys, Reader, Services } from '../../kernel/context'
import { sealedAbout, type SealedMessage } from '../../kernel/outbox'
import { unseal } from '../../kernel/seal'
import type { Carried, Carry, Parcel } from './carrier'
import { type Access, findSendingAccount, keepAccess } from '../fleet/public'
import { aliyun } from './carrier.aliyun'
import { smtp } from './carrier.smtp'
import { tencent } from './carrier.tencent'
import { wechatAccount } from './carrier.wechat'
import { CUSTOMER, customerFacts } from './customer.rules'
import * as providerStore from './provider.store'
import { retryAfterMs } from './quiet.rules'

type Delivery = Pick<Services, 'db' | 'clock' | 'keys'>

type Taken = {
  id: number
  channel: MessageChannel
  accountId: number | null
  type: string
  receiver: string
  title: string
  body: string
  vars: Record<string, string> | null
  sealedBody: Buffer | null
  isSecret: boolean
  tries: number
  template: string | null
  variables: string[] | null
}

const BATCH = 20
/** A taken message is nobody else's for so long; a server that stops meanwhile leaves it to be tried again. */
const LEASE_MS = 120_000

/** Hands to providers what is due. Any number of processes may do so at once: each row is taken by one. */
export async function deliver(services: Delivery): Promise<void> {
  const carrierFor = await carriersOf(services)
  for (;;) {
    const taken = await take(services.db, services.clock.now())
    for (const row of taken) await carry(services, await carrierFor(row), row)
    if (taken.length < BATCH) return
  }
}

type Known = { name: string; carry: Carry }

type CarrierFor = (row: Pick<Taken, 'channel' | 'accountId'>) => Promise<Known | undefined>

/** One a channel, and one an official account, which is asked for access once. */
async function carriersOf({ db, keys }: Delivery): Promise<CarrierFor> {
  const found = (await providerStore.all(db)).filter(({ isOn }) => isOn)
  const carriers = new Map<MessageChannel, Known>(
    found.map((row) => [
      row.channel,
      { name: row.config.kind, carry: carrierOf(row.config, providerStore.openSecret(keys, row)) },
    ]),
  )
  const accounts = new Map<number, Known | undefined>()
  return async ({ channel, accountId }) => {
    if (channel !== 'wechat') return carriers.get(channel)
    if (accountId === null) return undefined
    if (!accounts.has(accountId)) {
      const account = await findSendingAccount(db, keys, accountId)
      const keep = (access: Access) => keepAccess(db, keys, accountId, access)
      accounts.set(accountId, account ? { name: 'wechat', carry: wechatAccount(account, keep) } : undefined)
    }
    return accounts.get(accountId)
  }
}

function carrierOf(config: ProviderConfig, secret: string): Carry {
  if (config.kind === 'aliyun') return aliyun(config, secret)
  if (config.kind === 'tencent') return tencent(config, secret)
  return smtp(config, secret)
}

async function take(db: Reader, now: Date): Promise<Taken[]> {
  const leased = new Date(now.getTime() + LEASE_MS)
  const found = await sql<Taken>`
    with due as (
      select id from outbox_message where state = 'waiting' and next_try_at <= ${now}
      order by next_try_at for update skip locked limit ${sql.lit(BATCH)}),
    taken as (
      update outbox_message o set next_try_at = ${leased}, tries = tries + 1 from due where o.id = due.id returning o.*)
    select o.id, o.channel, o.type, o.receiver, o.title, o.body, o.vars, o.sealed_body as "sealedBody",
      o.is_secret as "isSecret", o.tries, o.account_id as "accountId",
      case when o.channel = 'wechat' then a.templates ->> substr(o.type, ${CUSTOMER.length + 1}) else t.sms_template end
        as template, case when o.channel = 'wechat' then ${[...customerFacts]}::text[] else t.variables end as variables
    from taken o left join message_type t on t.code = o.type left join official_account a on a.id = o.account_id
    order by o.id`.execute(db)
  return found.rows
}

async function carry({ db, keys, clock }: Delivery, known: Known | undefined, row: Taken): Promise<void> {
  if (!known) return settle(db, row, 'hold', { error: null, provider: null, at: clock.now() })
  if (row.receiver === '') return settle(db, row, 'fail', { error: 'no address', provider: null, at: clock.now() })
  const carried = await known.carry(parcelOf(keys, row), clock.now())
  await keep(db, row, known.name, carried, clock.now())
}

function parcelOf(keys: AuthKeys, row: Taken): Parcel {
  const { id, receiver, title, template, variables } = row
  const { body, vars } = row.sealedBody
    ? (JSON.parse(unseal(keys, sealedAbout(receiver), row.sealedBody)) as SealedMessage)
    : row
  const params = vars && variables ? variables.map((name) => [name, vars[name] ?? ''] as const) : null
  return { id, receiver, title, body, params, template }
}

async function keep(db: Reader, row: Taken, provider: string, carried: Carried, at: Date): Promise<void> {
  if (carried.isSent) return settle(db, row, 'deliver', { error: null, provider, at })
  const wait = carried.isFinal ? null : retryAfterMs(row.tries)
  if (wait === null) return settle(db, row, 'fail', { error: carried.reason, provider, at })
  await sql`update outbox_message set error = ${carried.reason}, provider = ${provider},
    next_try_at = ${new Date(at.getTime() + wait)} where id = ${row.id} and state = 'waiting'`.execute(db)
}

/** What was withdrawn meanwhile stays so. A secret that has left the house is forgotten here. */
async function settle(
  db: Reader,
  row: Taken,
  verb: 'deliver' | 'fail' | 'hold',
  { error, provider, at }: { error: string | null; provider: string | null; at: Date },
): Promise<void> {
  const isSent = verb === 'deliver'
  await sql`update outbox_message set state = ${messageState.to(verb)}, error = ${error}, provider = ${provider},
      sent_at = ${isSent ? at : null}, next_try_at = ${at}, tries = ${verb === 'hold' ? row.tries - 1 : row.tries},
      sealed_body = case when ${isSent} then null else sealed_body end
    where id = ${row.id} and state = any(${[...messageState.from(verb)]}::text[])`.execute(db)
}
