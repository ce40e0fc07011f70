import { randomBytes } from 'node:crypto'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type getReportLink, reportState, type requestReport } from '@aisle/contract/report/request'
import { businessTime, PLATFORM_TIME_ZONE } from '../../kernel/businessDay'
import type { CommandContext } from '../../kernel/context'
import { keepLinks } from '../../kernel/files/fileLink'
import { addJob } from '../../kernel/jobs'
import { refuse } from '../../kernel/refuse'
import { hashToken } from '../../kernel/token'
import { openList, titleOf } from './exported'
import * as store from './request.store'

export const REPORT_JOB = 'report.make'
export const FORGET_JOB = 'report.expire'
/** More wait for the first ones: two cores make two sheets at a time, and a person reads one. */
const MOST_OPEN = 5
const LINK_LIVES_MS = 60_000

export async function request(ctx: CommandContext, input: InputOf<typeof requestReport>): Promise<{ id: number }> {
  const exportable = openList(ctx.actor, input.list)
  const query = exportable.list.input.safeParse(input.query)
  if (!query.success || input.columns.some((name) => !Object.hasOwn(exportable.fields, name))) {
    const path = query.success ? 'columns' : `query.${query.error.issues[0]?.path.join('.') ?? ''}`
    refuse('request.invalid', {}, [{ path, reason: 'invalid', msg: '' }])
  }
  const { userId, merchantId } = ctx.actor
  await mayAskMore(ctx)
  const { cursor: _, skip: __, pageSize: ___, ...filter } = input.query
  const wanted = { ...input, query: filter, language: ctx.language }
  const id = await store.insert(ctx.tx, { ...wanted, merchantId, userId, at: ctx.now() })
  await addJob(ctx.tx, REPORT_JOB, { id })
  const after = { list: input.list, query: filter, format: input.format }
  await ctx.audit({ merchantId, objectKind: 'reportRequest', objectId: id, before: null, after })
  return { id }
}

/** @throws Refusal report.tooMany */
export async function mayAskMore({ tx, actor: { userId } }: CommandContext): Promise<void> {
  if ((await store.countOpen(tx, userId)) >= MOST_OPEN) refuse('report.tooMany', { most: MOST_OPEN })
}

/** Another's report and none are one answer. */
export async function findOwn(ctx: CommandContext, id: number) {
  const found = await store.find(ctx.tx, id)
  return found?.userId === ctx.actor.userId ? found : refuse('request.notFound')
}

export async function cancel(ctx: CommandContext, { id }: { id: number }): Promise<{ id: number }> {
  const own = await findOwn(ctx, id)
  const isMoved = await store.cancel(ctx.tx, id, ctx.now())
  if (!isMoved) refuse('report.state')
  // Who makes it finds out by itself; this is for what one left that died.
  await addJob(ctx.tx, FORGET_JOB)
  await ctx.audit({
    merchantId: own.merchantId,
    objectKind: 'reportRequest',
    objectId: id,
    before: { state: own.state },
    after: { state: reportState.to('cancel') },
  })
  return { id }
}

/** The days that the filter names; a list of what is now is of the day when it was asked for. */
function daysOf({ query: { from, to }, requestedAt }: store.Request): string {
  if (!from && !to) return businessTime(requestedAt, PLATFORM_TIME_ZONE).day
  const [first, last] = [from?.slice(0, 10), to?.slice(0, 10)]
  return first === last ? `${first}` : `${first ?? ''}–${last ?? ''}`
}

/** A browser can't send its session key with a download, so it gets an address of its own for a minute. */
export async function giveLink(
  ctx: CommandContext,
  { id }: InputOf<typeof getReportLink>,
): Promise<OutputOf<typeof getReportLink>> {
  const own = await findOwn(ctx, id)
  if (!reportState.is(own.state, 'done') || !own.file) return refuse('report.notReady')
  const token = randomBytes(32).toString('base64url')
  const name = `${titleOf(own.list, ctx.language)} ${daysOf(own)}.${own.format}`
  const expiresAt = new Date(ctx.now().getTime() + LINK_LIVES_MS)
  const link = { tokenHash: hashToken(token), folder: 'exports' as const, file: own.file, name }
  await keepLinks(ctx.tx, [link], expiresAt)
  await ctx.audit({
    merchantId: own.merchantId,
    objectKind: 'reportRequest',
    objectId: id,
    before: null,
    after: { downloaded: name },
  })
  return { url: `/files/${token}` }
}
