import { unlawfulBecause } from '@aisle/contract/catalog/product'
import { slotState } from '@aisle/contract/fleet/states'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import type { getPlanogram, PlanSlot } from '@aisle/contract/planogram/slot'
import { type Reported, syncOf } from '@aisle/contract/planogram/sync'
import { sql } from 'kysely'
import { businessTime } from '../../kernel/businessDay'
import type { Reader } from '../../kernel/context'
import { isOffline } from '../catalog/public'
import { machineInSight, merchantInSight, type Sight } from '../../kernel/scope'
import { joinStockReport, type StockReport, stockDrift, stockReportColumns } from '../fleet/public'
import { blockOf, marginsOf, queueKey, queuesOf, trapped } from '../medicine/public'
import { shownFen } from '../promotion/public'
import { isOnItsWay, slotsOfPush } from './push.rules'

type Planogram = OutputOf<typeof getPlanogram>
type Head = Omit<Planogram, 'pushes' | 'slots' | 'template'> & {
  templateId: number | null
  templateName: string | null
  isNewest: boolean
  snapshotOn: Date | null
  reported: ReportedSlot[] | null
  timeZone: string
}
type ReportedSlot = Reported & { code: string }

/** Everything of one cabinet in few statements, compared slot by slot. */
export async function findPlanogram(db: Reader, sight: Sight, id: number, now: Date): Promise<Planogram | undefined> {
  const head = await findHead(db, sight, id)
  if (!head) return undefined
  const { templateId, templateName, isNewest, reported, snapshotOn, timeZone, ...machine } = head
  const pushes = await findPushes(db, sight, id)
  const onItsWay = pushes.filter((push) => isOnItsWay(push, snapshotOn))
  const said = new Map((reported ?? []).map((slot) => [slot.code, slot]))
  const rows = await findSlots(db, sight, id)
  const held = await findHeld(db, machine.merchantId, rows, businessTime(now, timeZone).day)
  return {
    ...machine,
    template: templateId === null ? null : { id: templateId, name: templateName ?? '', isNewest },
    pushes: pushes.map(({ data: _data, finishedAt: _finishedAt, ...push }) => push),
    slots: rows.map(({ movedSince, shown, placeId, isOffline: isOff, ...row }): PlanSlot => {
      const own = said.get(row.code)
      const isPushed = onItsWay.some((push) => slotsOfPush(push)?.has(row.code) ?? true)
      // What is recalled is locked in its machine, whatever was chosen here.
      const isLocked = row.isLocked || held.get(placeId)?.why === 'recalled'
      const desired = { product: row.productCode, ...row, priceFen: shown, isLocked }
      const { state: sync, differences } = syncOf(desired, own, isPushed)
      return {
        ...row,
        state: slotState({ ...row, isOffline: isOff, hasProduct: row.productId !== null }),
        held: held.get(placeId) ?? null,
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
      m.time_zone as "timeZone", m.retired_at is not null as "isRetired", m.plan_version as "planVersion",
      to_json(s.snapshot_at) #>> '{}' as "snapshotAt", s.snapshot_at as "snapshotOn", s.snapshot -> 'slots' as reported,
      t.id as "templateId", t.name as "templateName", coalesce(u.version = t.version, false) as "isNewest"
    from machine m join machine_state s on s.machine_id = m.id join point p on p.id = m.point_id
    left join template_use u on u.machine_id = m.id
    left join template t on t.id = u.template_id and ${merchantInSight(sight, sql`t.merchant_id`)}
    where m.id = ${id} and ${machineInSight(sight, sql`m.id`)}`.execute(db)
  return found.rows[0]
}

type Row = Omit<PlanSlot, 'state' | 'unlawful' | 'held' | 'sync' | 'differences' | 'stockDrift'> &
  StockReport & { shown: number | null; isOffline: boolean; placeId: number }

async function findSlots(db: Reader, sight: Sight, machineId: number): Promise<Row[]> {
  const found = await sql<Row>`
    select s.place_id as "placeId", s.code, s.layer, s.position, s.version, s.product_id as "productId",
      p.code as "productCode",
      p.name as "productName", p.picture, p.medicine_class as "medicineClass", s.price_fen as "priceFen",
      ${shownFen} as shown, s.capacity, coalesce(l.quantity, 0) as stock, s.alarm_threshold as "alarmThreshold",
      s.choice, s.is_locked as "isLocked", s.lock_reason as "lockReason", s.fault, ${isOffline} as "isOffline",
      ${stockReportColumns},
      case when s.next_product_id is not null then json_build_object('productId', n.id, 'productCode', n.code,
        'productName', n.name, 'picture', n.picture, 'priceFen', s.next_price_fen, 'capacity', s.next_capacity,
        'at', to_json(s.next_at) #>> '{}', 'by', who.display_name) end as next
    from slot s left join product p on p.id = s.product_id left join product n on n.id = s.next_product_id
    left join app_user who on who.id = s.next_by and ${merchantInSight(sight, sql`who.merchant_id`)}
    left join stock_level l on l.place_id = s.place_id and l.product_id = s.product_id ${joinStockReport}
    where s.machine_id = ${machineId} order by s.layer, s.position`.execute(db)
  return found.rows
}

type HeldSlot = NonNullable<PlanSlot['held']>

/** Slots that hold something back: by a batch that may not be sold, or since nobody knows what stands in front. */
async function findHeld(
  db: Reader,
  merchantId: number,
  slots: readonly Row[],
  day: string,
): Promise<Map<number, HeldSlot>> {
  const medicines = slots.filter(({ medicineClass }) => medicineClass !== null)
  const queues = await queuesOf(
    db,
    medicines.map(({ placeId }) => placeId),
  )
  const margin = queues.size === 0 ? 0 : (await marginsOf(db, [merchantId])).get(merchantId)
  return new Map(
    medicines.flatMap(({ placeId, productId, priceFen }): [number, HeldSlot][] => {
      const queue = productId === null ? undefined : queues.get(queueKey(placeId, productId))
      if (!queue) return []
      const [why, pieces] = [blockOf(queue, day, margin), trapped(queue, day, margin)]
      const { isDoubtful } = queue
      if (why === null && pieces === 0 && !isDoubtful) return []
      return [[placeId, { why, trapped: pieces, trappedFen: pieces * (priceFen ?? 0), isDoubtful }]]
    }),
  )
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
