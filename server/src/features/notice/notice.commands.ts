import { messageState } from '@aisle/contract/notice/push'
import { messageTypeState } from '@aisle/contract/notice/messageType'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { codesIn } from '@aisle/contract/notice/merchantCodes'
import type { addNotification, countReceivers } from '@aisle/contract/notice/notice'
import { notificationState } from '@aisle/contract/notice/notice'
import { sql } from 'kysely'
import { announce } from '../../kernel/announce'
import type { CommandContext, QueryContext } from '../../kernel/context'
import { addJob } from '../../kernel/jobs'
import { only } from '../../kernel/must'
import { refuse } from '../../kernel/refuse'
import { sightOf } from '../../kernel/scope'
import { type Audience, countMeant, merchantsByCode, rolesInSight } from './audience'
import { findById } from './messageType.store'
import { notices } from './notice.reads'
import { targetsOf, tell } from './notice.send'
import { statesIn, stateTo } from '../../kernel/states'

export const SEND = 'notice.send'

type Asked = InputOf<typeof countReceivers>
type Written = InputOf<typeof addNotification>

/** Whom the person means, and the codes that name nobody in their sight. */
export async function audienceOf(ctx: QueryContext, asked: Asked): Promise<Audience & { unknown: string[] }> {
  const sight = sightOf(ctx.actor)
  const codes = asked.target === 'merchants' ? codesIn(asked.merchantCodes) : []
  const { ids, unknown } = await merchantsByCode(ctx.db, sight, codes)
  // Whoever sees no merchants below their own reaches none below.
  const reachesBelow = sight.kind !== 'granted'
  return {
    merchantId: ctx.actor.merchantId,
    target: asked.target,
    withChildren: reachesBelow && (asked.target === 'merchants' ? asked.withChildren : true),
    merchantIds: ids,
    roleIds: asked.target === 'roles' ? asked.roleIds : [],
    unknown,
  }
}

export async function add(ctx: CommandContext, input: Written) {
  const now = ctx.now()
  const sendAt = input.send === 'later' ? new Date(input.sendAt ?? now) : null
  if (sendAt && sendAt <= now) refuse('notification.past')
  const type = await findById(ctx.tx, input.typeId)
  if (!type?.code.startsWith('notice.') || messageTypeState.is(type.state, 'off')) refuse('notification.type')
  const audience = await audienceOf(ctx, input)
  if (audience.unknown.length > 0) refuseCodes(audience.unknown)
  await refuseUnseenRoles(ctx, audience.roleIds)
  const expected = await countMeant(ctx.tx, audience)
  if (expected === 0) refuse('notification.nobody')
  const state = sendAt ? 'scheduled' : input.send === 'now' ? 'sending' : notificationState.initial
  const made = await sql<{ id: number }>`insert into notification (merchant_id, type_id, title, body, translations,
      channels, target, with_children, state, scheduled_at, published_at, expected, created_by, created_at)
    values (${ctx.actor.merchantId}, ${input.typeId}, ${input.title}, ${input.body},
      ${JSON.stringify(input.translations)}, ${input.channels}::text[], ${input.target}, ${audience.withChildren},
      ${state}, ${sendAt}, ${notificationState.is(state, 'sending') ? now : null},
        ${expected}, ${ctx.actor.userId}, ${now})
    returning id`.execute(ctx.tx)
  const id = only(made).id
  await sql`insert into notification_target (notification_id, merchant_id)
    select ${id}, unnest(${[...audience.merchantIds]}::bigint[])`.execute(ctx.tx)
  await sql`insert into notification_target (notification_id, role_id)
    select ${id}, unnest(${[...new Set(audience.roleIds)]}::bigint[])`.execute(ctx.tx)
  if (notificationState.is(state, 'sending')) await addJob(ctx.tx, SEND, { id })
  const { title, channels, target, merchantCodes } = input
  await notices.audit(ctx, { id }, null, { title, channels, target, merchantCodes, state, expected })
  return { id, state, expected }
}

function refuseCodes(unknown: readonly string[]): never {
  return refuse('notification.codes', { codes: unknown.slice(0, 20).join(', '), count: unknown.length })
}

async function refuseUnseenRoles(ctx: CommandContext, roleIds: readonly number[]): Promise<void> {
  if (roleIds.length === 0) return
  const seen = new Set((await rolesInSight(ctx.tx, sightOf(ctx.actor))).map(({ id }) => id))
  if (roleIds.some((id) => !seen.has(id))) refuse('notification.roles')
}

export async function publish(ctx: CommandContext, id: number) {
  const row = await loadFor(ctx, id, 'publish')
  const audience = await audienceOfRow(ctx, id)
  const expected = await countMeant(ctx.tx, audience)
  if (expected === 0) refuse('notification.nobody')
  const state = notificationState.to('publish')
  await sql`update notification set state = ${state}, published_at = ${ctx.now()}, expected = ${expected},
    version = version + 1 where id = ${id}`.execute(ctx.tx)
  await addJob(ctx.tx, SEND, { id })
  await notices.audit(ctx, row, { state: row.state }, { state, expected })
  return { id, state }
}

async function audienceOfRow(ctx: CommandContext, id: number): Promise<Audience> {
  const found = await sql<Omit<Audience, 'merchantIds' | 'roleIds'>>`select merchant_id as "merchantId", target,
    with_children as "withChildren" from notification where id = ${id}`.execute(ctx.tx)
  const [row] = found.rows
  if (!row) throw new Error(`notification ${id} vanished under its lock`)
  return { ...row, ...(await targetsOf(ctx.tx, id)) }
}

export async function withdraw(ctx: CommandContext, id: number) {
  const row = await loadFor(ctx, id, 'withdraw')
  const state = notificationState.to('withdraw')
  await sql`update notification set state = ${state}, version = version + 1 where id = ${id}`.execute(ctx.tx)
  const taken = await sql<{ userId: number | null }>`update outbox_message
    set state = ${stateTo(messageState, 'withdraw')}
    where notification_id = ${id} and (channel = 'web' or state in ${statesIn(messageState, 'untold')})
    returning user_id as "userId"`.execute(ctx.tx)
  const userIds = [...new Set(taken.rows.flatMap(({ userId }) => userId ?? []))]
  if (userIds.length > 0) await announce(ctx.tx, { topic: 'messages', userIds })
  await notices.audit(ctx, row, { state: row.state }, { state })
  return { id, state }
}

/** Again to who has not read it, by the same channels; a bell that shows it unread rings once more. */
export async function remind(ctx: CommandContext, id: number) {
  const row = await loadFor(ctx, id, 'remind')
  if (row.readCount >= row.receivers) refuse('notification.allRead')
  const found = await sql<Parameters<typeof tell>[1]>`select id, type_id as "typeId", title, body, translations,
    channels from notification where id = ${id}`.execute(ctx.tx)
  const [notice] = found.rows
  if (!notice) throw new Error(`notification ${id} vanished under its lock`)
  await sql`update outbox_message set state = ${stateTo(messageState, 'withdraw')}
    where notification_id = ${id} and channel = 'web' and state = 'sent' and read_at is null`.execute(ctx.tx)
  const reminded = await sql<{ userId: number; round: number }>`update notification_receiver
    set reminders = reminders + 1, reminded_at = ${ctx.now()} where notification_id = ${id} and read_at is null
    returning user_id as "userId", reminders as round`.execute(ctx.tx)
  const rounds = new Set(reminded.rows.map(({ round }) => round))
  for (const round of rounds) {
    const userIds = reminded.rows.filter((each) => each.round === round).map(({ userId }) => userId)
    await tell(ctx.tx, notice, userIds, ctx.now(), round)
  }
  const after = { reminded: reminded.rows.length }
  await notices.audit(ctx, row, { read: row.readCount }, after)
  return { id, state: notificationState.to('remind') }
}

async function loadFor(ctx: CommandContext, id: number, verb: keyof typeof notificationState.moves) {
  const row = await notices.load(ctx, id)
  if (!notificationState.can(row.state, verb)) refuse('notification.state', { title: row.title })
  return row
}
