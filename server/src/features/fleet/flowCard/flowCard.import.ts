import { catalogs } from '@aisle/contract/catalogs'
import {
  type FlowCardColumn,
  flowCardColumns,
  type importFlowCards,
  MOST_CARD_ROWS,
  type previewFlowCards,
} from '@aisle/contract/fleet/flowCard'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type Language, languages } from '@aisle/contract/kernel/text'
import { writeXlsx } from 'hucre/xlsx'
import { sql } from 'kysely'
import { rows } from '../../../db/rows'
import { refusedBy } from '../../../kernel/constraint'
import type { Actor, CommandContext, QueryContext, Reader } from '../../../kernel/context'
import { refusal, refuse } from '../../../kernel/refuse'
import { machineInSight, refuseUnseenMerchant, type Sight, sightOf } from '../../../kernel/scope'
import { word } from '../../../kernel/words'
import { type JudgedCards, judgeCards, type KnownHere, type NumberedRow, rowsIn } from './flowCard.judge'
import { tableIn } from '../sheet/tableIn'

type Asked = InputOf<typeof importFlowCards>

export async function preview(ctx: QueryContext, asked: Asked): Promise<OutputOf<typeof previewFlowCards>> {
  const { rows: count, good, faults, faultCount } = await judge(ctx.db, ctx.actor, asked)
  return { rows: count, good: good.length, faults, faultCount }
}

/** All or none: between the preview and this somebody else may have added one of them. */
export async function importAll(ctx: CommandContext, asked: Asked): Promise<{ added: number }> {
  const { good, faultCount } = await judge(ctx.tx, ctx.actor, asked)
  if (faultCount > 0) refuse('flowCard.rowsWrong', { count: faultCount })
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
    refusedBy('flow_card_machine_id_key', write, () => refusal('flowCard.rowsWrong', { count: 1 })),
    () => refusal('flowCard.rowsWrong', { count: 1 }),
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

async function judge(db: Reader, actor: Actor, { merchantId, file }: Asked): Promise<JudgedCards & { rows: number }> {
  const sight = sightOf(actor)
  await refuseUnseenMerchant(db, sight, merchantId)
  const table =
    rowsIn(await tableIn(file, MOST_CARD_ROWS, actor.userId, 'flowCard.unreadable'), nameOf) ??
    refuse('flowCard.columns')
  if (table.length === 0) refuse('flowCard.empty')
  if (table.length > MOST_CARD_ROWS) refuse('flowCard.tooMany', { most: MOST_CARD_ROWS })
  return { ...(await judgeCards(table, await knownOf(db, sight, merchantId, table))), rows: table.length }
}

type KnownMachine = { code: string; id: number; hasCard: boolean; isOfMerchant: boolean }

async function knownOf(db: Reader, sight: Sight, merchantId: number, table: NumberedRow[]): Promise<KnownHere> {
  const iccids = table.map(({ cells }) => cells.iccid)
  const codes = table.map(({ cells }) => cells.machineCode)
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

/** By its name, or by its words in any of the languages, so that a sheet made elsewhere is read here. */
const headings = new Map<string, FlowCardColumn>(
  flowCardColumns.flatMap((name) => [
    [name.toLowerCase(), name] as const,
    ...languages.map((each) => {
      const texts: Record<string, string> = catalogs[each].fleet
      return [(texts[`field.${name}`] ?? name).toLowerCase(), name] as const
    }),
  ]),
)
const nameOf = (heading: string): FlowCardColumn | null =>
  headings.get(heading.replace(/[*\s]+$/, '').toLowerCase()) ?? null

/** One example under the heading; its number is made of zeros, so that nobody imports it by mistake. */
export async function writeTemplate(language: Language): Promise<Uint8Array> {
  const t = (key: string) => word(language, 'fleet', key)
  const head = flowCardColumns.map((each) => t(`field.${each}`) + (each === 'iccid' || each === 'carrier' ? ' *' : ''))
  const example: Record<FlowCardColumn, string> = {
    iccid: '89860000000000000000',
    carrier: t('flowCarrier.cmcc'),
    cardType: t('flowCardType.nano'),
    machineCode: 'HZ0101',
    phone: '1440000000000',
    imei: '',
    imsi: '460000000000000',
    planMb: '1024',
    alarmMb: '800',
    openedOn: '2026-01-01',
    expiresOn: '2028-12-31',
    remark: '',
  }
  const columns = head.map(() => ({ width: 22 }))
  return writeXlsx({
    sheets: [
      {
        name: t('flowCard.sheet'),
        rows: [head, flowCardColumns.map((each) => example[each])],
        columns,
        freezePane: { rows: 1 },
      },
    ],
  })
}
