import { medicineClasses, type MedicineClass } from '@aisle/contract/catalog/product'
import { previewRemoteShip } from '@aisle/contract/device/remoteShip'
import { getMachine } from '@aisle/contract/fleet/machine'
import { addMachine as addByForm, editMachine } from '@aisle/contract/fleet/machineForm'
import { importMachines } from '@aisle/contract/fleet/machineImport'
import { applyTemplate, previewTemplate } from '@aisle/contract/planogram/apply'
import { addPriceChange, getPriceChange } from '@aisle/contract/planogram/priceChange'
import { getPlanogram, listPlaceable, pushPlanogram, saveSlots } from '@aisle/contract/planogram/slot'
import { addTemplate, importTemplates } from '@aisle/contract/planogram/template'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { only } from '../../../kernel/must'
import { Refusal } from '../../../kernel/refuse'
import { seal } from '../../../kernel/seal'
import { addMachine, addProduct } from '../../../testing/builders'
import { addFamily, addSession, addUser, type Family } from '../../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../../testing/http'
import { routesWith } from '../../../testing/stubs'
import { openWorld, type World } from '../../../testing/world'
import { fleet } from '../../fleet/manifest'
import { acceptShipment } from '../../partner/shipment.commands'
import { planogram } from '../../planogram/manifest'
import { device } from '../manifest'
import { ingest } from '../link/ingest'
import { spoken } from '../testing'

/** Every way by which medicine could come to be sold where the law forbids it, in all modes and of all classes. */
const NOON = new Date('2026-11-20T04:00:00Z')
const modes = ['none', 'retail', 'hospital'] as const
type Mode = (typeof modes)[number]

/** Written out, and not asked of the rule that is tested. */
const lawful: Record<Mode, readonly (MedicineClass | null)[]> = {
  none: [null],
  retail: [null, 'otc_b'],
  hospital: [null, 'otc_b', 'otc_a', 'rx'],
}

let world: World
let http: HttpWorld
let family: Family
let token: string
let partner: { id: number; merchantId: number; machineId: null }
let names: { merchant: string; point: string; pointId: number }
let seq = 0

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...[planogram, device, fleet].flatMap(({ routes }) => routes ?? [])))
  family = await addFamily(world.services.db, NOON)
  const grants = ['machine.*', 'slot.*', 'template.*', 'command.*', 'product.*']
  const { db } = world.services
  const { merchantId } = family.ours
  const user = await addUser(db, { merchantId, grants })
  token = await addSession(db, user.id, NOON)
  const config = await sql<{ id: number }>`insert into integration_config (merchant_id, parent_class, child_class,
      interface_type, path, contract_number, created_at)
    values (${merchantId}, 'dispensing', 'ship_request', 'pull', 'gate', 'C-1', ${NOON}) returning id`.execute(db)
  const { id } = only(config)
  await sql`update integration_config set state = 'enabled', secret_set_at = ${NOON},
    secret = ${seal(world.services.keys, `integration:${id}`, 'a secret')} where id = ${id}`.execute(db)
  partner = { id, merchantId, machineId: null }
  const hall = await sql<typeof names>`insert into point (merchant_id, name, kind, province, city, address, longitude,
      latitude)
    select id, 'Gate hall', 'hospital', '浙江', '杭州', '', 120, 30 from merchant where id = ${merchantId}
    returning id as "pointId", name as point, (select code from merchant where id = merchant_id) as merchant`.execute(
    db,
  )
  names = only(hall)
})
afterAll(async () => {
  await http.close()
  await world.close()
})

const call = async (...[endpoint, input]: Parameters<HttpWorld['call']>) => {
  const { status, body } = await http.call(endpoint, input, { token })
  return { status, code: body.code, data: body.data as Record<string, unknown> }
}

async function ground(mode: Mode, medicineClass: MedicineClass | null) {
  const { db } = world.services
  const { merchantId } = family.ours
  const goods = await addProduct(db, { merchantId })
  const product = await addProduct(db, { merchantId, ...(medicineClass && { medicineClass }) })
  const empty = await addMachine(db, { merchantId, products: [goods], licenceMode: mode, stock: 0 })
  // As old plans may be: it stood there before the law or the machine's licence changed.
  const holding = await addMachine(db, { merchantId, products: [product], licenceMode: mode, stock: 5 })
  await sql`update machine_state set is_connected = true, last_seen_at = ${NOON}
    where machine_id = ${holding.id}`.execute(db)
  return { mode, medicineClass, product, empty, holding }
}
type Ground = Awaited<ReturnType<typeof ground>>

const plan = async (
  { product, empty }: { product: { id: number }; empty: { id: number } },
  when: 'now' | 'nextService',
) => {
  const { data } = await call(getPlanogram, { id: empty.id })
  const [slot] = data.slots as Record<string, unknown>[]
  const { code, version, capacity, alarmThreshold, choice, isLocked } = slot ?? {}
  const kept = { code, version, capacity, alarmThreshold, choice, isLocked }
  const wanted = { ...kept, productId: product.id, priceFen: 500 }
  return (await call(saveSlots, { id: empty.id, slots: [wanted], when })).code === 'slot.unlawful'
}
const lineOf = (productId: number) => ({
  layer: 1,
  position: 1,
  productId,
  priceFen: 500,
  capacity: 10,
  alarmThreshold: 1,
})
const application = async (templateId: number, { empty }: Ground) => {
  const machines = { machineIds: [empty.id] }
  const { data } = await call(previewTemplate, { id: templateId, machines })
  const applied = await call(applyTemplate, { id: templateId, version: 1, machines, reason: 'as planned' })
  const isRefused = applied.code === 'template.nothingToApply'
  expect((data.items as { outcome: string }[])[0]?.outcome === 'unlawful').toBe(isRefused)
  return isRefused
}
/** A hospital's machine, where everything is lawful, gets another mode. */
const newMode = async ({ product, mode }: Ground, when: 'now' | 'nextService') => {
  const { db } = world.services
  const { merchantId } = family.ours
  const goods = await addProduct(db, { merchantId })
  const empty = await addMachine(db, { merchantId, products: [goods], licenceMode: 'hospital', stock: 0 })
  expect(await plan({ product, empty }, when)).toBe(false)
  const { data } = await call(getMachine, { id: empty.id })
  const shown = Object.keys(editMachine.input.shape).filter((name) => name in data)
  const kept = Object.fromEntries(shown.map((name) => [name, data[name]]))
  return (await call(editMachine, { ...kept, licenceMode: mode, id: empty.id })).code === 'machine.licenceForbids'
}
const nextCode = () => {
  seq += 1
  return `GATE${seq}`
}
const order = async ({ holding }: Ground, more: Record<string, unknown>) => {
  seq += 1
  const request = { orderNo: `G-${seq}`, items: [{ slot: holding.slots[0]?.code }], ...more }
  const { replies } = await ingest(world.services, [spoken(world, holding.code, seq, 'order.request', request)])
  const answer = replies[0]?.answer
  return answer !== undefined && 'refused' in answer && answer.refused === 'notLawful'
}

/** Whether each way says that the law forbids it. */
const ways: Record<string, (at: Ground) => Promise<boolean>> = {
  'a choice for a slot': async ({ product, empty }) => {
    const { data } = await call(listPlaceable, { id: empty.id, q: product.code })
    return (data.items as { unlawful: string | null }[])[0]?.unlawful !== null
  },
  'a next plan': (at) => plan(at, 'nextService'),
  'a plan': (at) => plan(at, 'now'),
  'a push of the plan': async ({ holding }) =>
    (await call(pushPlanogram, { id: holding.id, what: 'planogram' })).code === 'slot.unlawful',
  'a push of prices': async ({ holding }) =>
    (await call(pushPlanogram, { id: holding.id, what: 'prices' })).code === 'slot.unlawful',
  'a change of prices': async ({ product, holding }) => {
    const wish = { productIds: [product.id], rule: 'set', amountFen: 450, reason: 'Winter' }
    const { data } = await call(addPriceChange, wish)
    const change = await call(getPriceChange, { id: Number(data.id) })
    expect(holding.slots).toHaveLength(1)
    return (change.data.outcomes as { why: string | null }[]).every(({ why }) => why === 'unlawful')
  },
  'a template': async (at) => {
    const { merchantId } = family.ours
    const made = { merchantId, name: `T ${at.product.code}`, slots: [lineOf(at.product.id)] }
    return application(Number((await call(addTemplate, made)).data.id), at)
  },
  'a template of the merchant above': async (at) => {
    const { db } = world.services
    const medicineClass = at.medicineClass ?? undefined
    const product = await addProduct(db, { merchantId: family.platformId, ...(medicineClass && { medicineClass }) })
    const name = `T ${product.code}`
    await sql`with t as (insert into template (merchant_id, name, remark, created_at, updated_at)
        values (${family.platformId}, ${name}, '', ${NOON}, ${NOON}) returning id)
      insert into template_slot (template_id, layer, position, product_id, price_fen, capacity, alarm_threshold)
      select id, 1, 1, ${product.id}, 500, 10, 1 from t`.execute(db)
    const { merchantId } = family.ours
    const above = await sql<{ id: number }>`select id from template where name = ${name}`.execute(db)
    await call(importTemplates, { id: merchantId, templateIds: [only(above).id] })
    const own = await sql<{ id: number }>`select id from template
      where merchant_id = ${merchantId} and name = ${name}`.execute(db)
    return application(only(own).id, at)
  },
  'a plan of an imported machine': async ({ product, mode }) => {
    const code = nextCode()
    const sheet = [
      'code,name,merchant,point,category,layers,slotsPerLayer,licenceMode',
      `${code},New,${names.merchant},${names.point},combo,1,1,${mode}`,
    ]
    const file = Buffer.from(sheet.join('\r\n')).toString('base64')
    expect((await call(importMachines, { file })).status).toBe(200)
    const made = await sql<{ id: number }>`select id from machine where code = ${code}`.execute(world.services.db)
    return plan({ product, empty: only(made) }, 'now')
  },
  'a copy of a machine': async ({ holding, mode }) => {
    const { merchantId } = family.ours
    const about = { code: nextCode(), name: 'Copy', merchantId, pointId: names.pointId, category: 'combo' }
    const copied = await call(addByForm, { ...about, licenceMode: mode, copyFromId: holding.id })
    return copied.code === 'machine.licenceForbids'
  },
  'a new licence mode where it stands': (at) => newMode(at, 'now'),
  'a new licence mode where it comes next': (at) => newMode(at, 'nextService'),
  "a partner's order": async ({ holding }) => {
    const asked = {
      requestNo: `${holding.code}`,
      machine: holding.code,
      items: [{ slot: holding.slots[0]?.code ?? '', quantity: 1 }],
    }
    const asking = { body: JSON.stringify(asked), ip: '127.0.0.1', headers: {}, asked }
    const refused = await acceptShipment(world.services, partner, asking).then(
      () => null,
      (thrown: unknown) => (thrown instanceof Refusal ? (thrown.vars.code ?? thrown.code) : String(thrown)),
    )
    return refused === 'notLawful'
  },
  'an order': (at) => order(at, { method: 'wechat' }),
  'an order with a prescription': (at) => order(at, { method: 'wechat', prescription: 'RX-0' }),
  'an order of a checked person': (at) => order(at, { method: 'wechat', person: { idNumber: 'ID-000001', age: 40 } }),
  'a pick-up code': (at) => order(at, { method: 'pickup_code', code: '12345678' }),
  'a member card': (at) => order(at, { method: 'member_card', code: '0a0a0a0a' }),
  'a remote dispense': async ({ holding }) => {
    const { data } = await call(previewRemoteShip, { id: holding.id, slot: holding.slots[0]?.code })
    return (data.refusal as { code: string } | null)?.code === 'remoteShip.unlawful'
  },
}

test.each(modes.flatMap((mode) => [null, ...medicineClasses].map((each) => [mode, each] as const)))(
  'in a machine of mode %s the class %s is held to the law by every way',
  async (mode, medicineClass) => {
    const at = await ground(mode, medicineClass)
    const said: Record<string, boolean> = {}
    for (const [way, isForbidden] of Object.entries(ways)) said[way] = await isForbidden(at)
    const forbidden = !lawful[mode].includes(medicineClass)
    expect(said).toEqual(Object.fromEntries(Object.keys(ways).map((way) => [way, forbidden])))
  },
)
