import { unlawfulBecause } from '@aisle/contract/catalog/product'
import { slotState } from '@aisle/contract/fleet/states'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import type { getPlanogram, PlanSlot } from '@aisle/contract/planogram/slot'
import { type Reported, syncOf } from '@aisle/contract/planogram/sync'
import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { machineInSight, merchantInSight, type Sight } from '../../kernel/scope'
import { joinStockReport, type StockReport, stockDrift, stockReportColumns } from '../fleet/public'
import { isOnItsWay, slotsOfPush } from './push.rules'

type Planogram = OutputOf<typeof getPlanogram>
type Head = Omit<Planogram, 'pushes' | 'slots' | 'template'> & {
  templateId: number | null
  templateName: string | null
  isNewest: boolean
  snapshotOn: Date | null
  reported: ReportedSlot[] | null
}
type ReportedSlot = Reported & { code: string }

/** Everything of one cabinet in three statements, compared slot by slot. */
export async function findPlanogram(db: Reader, sight: Sight, id: number): Promise<Planogram | undefined> {
  const head = await findHead(db, sight, id)
  if (!head) return undefined
  const { templateId, templateName, isNewest, reported, snapshotOn, ...machine } = head
  const pushes = await findPushes(db, sight, id)
  const onItsWay = pushes.filter((push) => isOnItsWay(push, snapshotOn))
  const said = new Map((reported ?? []).map((slot) => [slot.code, slot]))
  const rows = await findSlots(db, sight, id)
  return {
    ...machine,
    template: templateId === null ? null : { id: templateId, name: templateName ?? '', isNewest },
    pushes: pushes.map(({ data: _data, finishedAt: _finishedAt, ...push }) => push),
    slots: rows.map(({ movedSince, ...row }): PlanSlot => {
      const own = said.get(row.code)
      const isPushed = onItsWay.some((push) => slotsOfPush(push)?.has(row.code) ?? true)
      const desired = { product: row.productCode, ...row }
      const { state: sync, differences } = syncOf(desired, own, isPushed)
      return {
        ...row,
        state: slotState({ ...row, hasProduct: row.productId !== null }),
        unlawful: unlawfulBecause(machine.licenceMode, row.medicineClass),
        sync,
        differences,
        stockDrift: stockDrift(row.stock, row.reportedStock, movedSince),
      }
    }),
  }
}

async function findHead(db: Reader, sight: Sight, id: number): Promise<Head | undefined> {
  const found = await sql<Head>`
    select m.id, m.code, m.name, p.name as "pointName", m.licence_mode as "licenceMode", m.merchant_id as "merchantId",
      m.retired_at is not null as "isRetired", m.plan_version as "planVersion",
      to_json(s.snapshot_at) #>> '{}' as "snapshotAt", s.snapshot_at as "snapshotOn", s.snapshot -> 'slots' as reported,
      t.id as "templateId", t.name as "templateName", coalesce(u.version = t.version, false) as "isNewest"
    from machine m join machine_state s on s.machine_id = m.id join point p on p.id = m.point_id
    left join template_use u on u.machine_id = m.id
    left join template t on t.id = u.template_id and ${merchantInSight(sight, sql`t.merchant_id`)}
    where m.id = ${id} and ${machineInSight(sight, sql`m.id`)}`.execute(db)
  return found.rows[0]
}

type Row = Omit<PlanSlot, 'state' | 'unlawful' | 'sync' | 'differences' | 'stockDrift'> & StockReport

async function findSlots(db: Reader, sight: Sight, machineId: number): Promise<Row[]> {
  const found = await sql<Row>`
    select s.code, s.layer, s.position, s.version, s.product_id as "productId", p.code as "productCode",
      p.name as "productName", p.picture, p.medicine_class as "medicineClass", s.price_fen as "priceFen", s.capacity,
      coalesce(l.quantity, 0) as stock, s.alarm_threshold as "alarmThreshold", s.choice, s.is_locked as "isLocked",
      s.lock_reason as "lockReason", s.fault, ${stockReportColumns},
      case when s.next_product_id is not null then json_build_object('productId', n.id, 'productCode', n.code,
        'productName', n.name, 'picture', n.picture, 'priceFen', s.next_price_fen, 'capacity', s.next_capacity,
        'at', to_json(s.next_at) #>> '{}', 'by', who.display_name) end as next
    from slot s left join product p on p.id = s.product_id left join product n on n.id = s.next_product_id
    left join app_user who on who.id = s.next_by and ${merchantInSight(sight, sql`who.merchant_id`)}
    left join stock_level l on l.place_id = s.place_id and l.product_id = s.product_id ${joinStockReport}
    where s.machine_id = ${machineId} order by s.layer, s.position`.execute(db)
  return found.rows
}

type PushRow = Planogram['pushes'][number] & { data: Record<string, unknown>; finishedAt: Date | null }

async function findPushes(db: Reader, sight: Sight, machineId: number): Promise<PushRow[]> {
  const found = await sql<PushRow>`
    select c.id, c.type, c.state, to_json(c.created_at) #>> '{}' as "createdAt", u.display_name as "createdBy",
      c.detail, c.data, c.finished_at as "finishedAt"
    from device_command c
    left join app_user u on u.id = c.created_by and ${merchantInSight(sight, sql`u.merchant_id`)}
    where c.machine_id = ${machineId}
      and c.type in ('push_planogram', 'push_prices', 'push_template', 'lock_slot', 'unlock_slot')
    order by c.created_at desc, c.id limit 8`.execute(db)
  return found.rows
}
