import type { importFlowCards, previewFlowCards } from '@aisle/contract/fleet/flowCard'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type { Language } from '@aisle/contract/kernel/text'
import { sql } from 'kysely'
import { rows } from '../../../db/rows'
import { refusedBy } from '../../../kernel/constraint'
import type { CommandContext, QueryContext, Reader } from '../../../kernel/context'
import { refusal, refuse } from '../../../kernel/refuse'
import { machineInSight, refuseUnseenMerchant, type Sight, sightOf } from '../../../kernel/scope'
import { readSheet, type SheetRow, templateOf } from '../../../kernel/sheet/sheet.form'
import { judgeRows } from '../../../kernel/sheet/sheet.judge'
import { word } from '../../../kernel/words'
import { cardSheet, judgeCard, type KnownHere } from './flowCard.judge'

type Asked = InputOf<typeof importFlowCards>

export const preview = async (ctx: QueryContext, asked: Asked): Promise<OutputOf<typeof previewFlowCards>> => {
  const { good, ...judged } = await judge(ctx, asked)
  return { ...judged, good: good.length }
}

/** All or none: between the preview and this somebody else may have added one of them. */
export async function importAll(ctx: CommandContext, asked: Asked): Promise<{ added: number }> {
  const { good, faultCount } = await judge(ctx, asked)
  if (faultCount > 0) refuse('sheet.faulty', { count: faultCount })
  const write = sql`insert into flow_card (merchant_id, iccid, carrier, type, machine_id, phone, imei, imsi, plan_mb,
      alarm_mb, opened_on, expires_on, remark, created_at)
    select ${asked.merchantId}, c.*, ${ctx.now()} from ${rows('c', good, {
      iccid: 'text',
      carrier: 'text',
      cardType: 'text',
      machineId: 'bigint',
      phone: 'text',
      imei: 'text',
      imsi: 'text',
      planMb: 'int',
      alarmMb: 'int',
      openedOn: 'date',
      expiresOn: 'date',
      remark: 'text',
    })} order by c.iccid`.execute(ctx.tx)
  await refusedBy(
    'flow_card_iccid_key',
    refusedBy('flow_card_machine_id_key', write, () => refusal('sheet.faulty', { count: 1 })),
    () => refusal('sheet.faulty', { count: 1 }),
  )
  await ctx.audit({
    merchantId: asked.merchantId,
    objectKind: 'flowCard',
    objectId: 'import',
    before: null,
    after: { count: good.length, iccids: good.map(({ iccid }) => iccid).slice(0, 500) },
  })
  return { added: good.length }
}

async function judge(ctx: QueryContext, { merchantId, file }: Asked) {
  const sight = sightOf(ctx.actor)
  await refuseUnseenMerchant(ctx.db, sight, merchantId)
  const rows = await readSheet(cardSheet, file, { userId: ctx.actor.userId, language: ctx.language })
  const known = await knownOf(ctx.db, sight, merchantId, rows)
  const seen = { iccids: new Set<string>(), machines: new Set<string>() }
  return judgeRows(cardSheet, ctx.language, rows, (cells) => judgeCard(cells, known, seen))
}

type KnownMachine = { code: string; id: number; hasCard: boolean; isOfMerchant: boolean }

async function knownOf(db: Reader, sight: Sight, merchantId: number, table: readonly SheetRow[]): Promise<KnownHere> {
  const iccids = table.map(({ cells }) => cells.iccid ?? '')
  const codes = table.map(({ cells }) => cells.machineCode ?? '')
  const taken = await sql<{ iccid: string }>`select f.iccid from flow_card f
    where f.iccid = any(${iccids}::text[])`.execute(db)
  const machines = await sql<KnownMachine>`
    select m.code, m.id, exists (select 1 from flow_card f where f.machine_id = m.id) as "hasCard",
      c.path @> array[${merchantId}]::bigint[] as "isOfMerchant"
    from machine m join merchant c on c.id = m.merchant_id
    where m.code = any(${codes}::text[]) and m.retired_at is null and ${machineInSight(sight, sql`m.id`)}`.execute(db)
  return {
    takenIccids: new Set(taken.rows.map(({ iccid }) => iccid)),
    machines: new Map(machines.rows.map(({ code, ...machine }) => [code, machine])),
  }
}

/** With one example; its number is made of zeros, so that nobody imports it by mistake. */
export function writeTemplate(language: Language) {
  const t = (key: string) => word(language, 'fleet', key)
  return templateOf(cardSheet, language, {
    iccid: '89860000000000000000',
    carrier: t('flowCarrier.cmcc'),
    cardType: t('flowCardType.nano'),
    machineCode: 'HZ0101',
    phone: '1440000000000',
    imsi: '460000000000000',
    planMb: '1024',
    alarmMb: '800',
    openedOn: '2026-01-01',
    expiresOn: '2028-12-31',
  })
}
