import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type { importMembers, previewMembers } from '@aisle/contract/member/memberImport'
import { businessTime, PLATFORM_TIME_ZONE } from '../../../kernel/businessDay'
import type { CommandContext, QueryContext } from '../../../kernel/context'
import { refuse } from '../../../kernel/refuse'
import { refuseUnseenMerchant, sightOf } from '../../../kernel/scope'
import { readSheet } from '../../../kernel/sheet/sheet.form'
import { judgeRows } from '../../../kernel/sheet/sheet.judge'
import { loggedOf } from '../member.rules'
import { judgeMember, memberSheet } from './import.rules'
import { findWorld, insertMembers, withNumbers } from './import.store'

type Asked = InputOf<typeof importMembers>

export async function preview(ctx: QueryContext, asked: Asked): Promise<OutputOf<typeof previewMembers>> {
  const { good, ...judged } = await judge(ctx, asked)
  return {
    ...judged,
    good: good.length,
    consentMissing: good.filter(({ consentedBy }) => consentedBy === null).length,
  }
}

/** The sheet is judged again, since the world may have moved on between the look and the word. */
export async function importGood(ctx: CommandContext, asked: Asked): Promise<OutputOf<typeof importMembers>> {
  const { merchantId } = asked
  const { good, rows, faultCount } = await judge(ctx, asked)
  if (good.length === 0) refuse('sheet.faulty', { count: faultCount })
  const wanted = await withNumbers(ctx.tx, good)
  const ids = await insertMembers(ctx, merchantId, wanted)
  if (ids.size < wanted.length) refuse('member.meanwhile')
  for (const { number, ...facts } of wanted) {
    const objectId = ids.get(number) ?? refuse('member.meanwhile')
    await ctx.audit({ merchantId, objectKind: 'member', objectId, ...loggedOf(null, facts) })
  }
  return { added: wanted.length, left: rows - good.length }
}

async function judge(ctx: QueryContext, { merchantId, file }: Asked) {
  await refuseUnseenMerchant(ctx.db, sightOf(ctx.actor), merchantId)
  const rows = await readSheet(memberSheet, file, { userId: ctx.actor.userId, language: ctx.language })
  const { day: today } = businessTime(ctx.now(), PLATFORM_TIME_ZONE)
  const world = await findWorld(ctx.db, { merchantId, today }, rows)
  const seen = { numbers: new Set<string>(), people: new Set<string>() }
  return judgeRows(memberSheet, ctx.language, rows, (cells) => judgeMember(cells, world, seen))
}
