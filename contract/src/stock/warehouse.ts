import { z } from 'zod'
import { batchField, codedNameField } from '../catalog/product'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zInstant, zLine, zNeeded, zSearch } from '../kernel/endpoint'
import { entity } from '../kernel/entity'
import { type Fields } from '../kernel/field'
import { zFen } from '../kernel/money'
import { defineRefusals } from '../kernel/refusal'
import { onOff, onOffTones } from '../kernel/states'

/** How a place keeps what lies in it; medicines say the same of themselves. */
export const storageClasses = ['room', 'cool', 'cold', 'frozen'] as const
export type StorageClass = (typeof storageClasses)[number]

const storesIn: Record<StorageClass, readonly StorageClass[]> = {
  room: ['room', 'cool'],
  cool: ['cool'],
  cold: ['cold'],
  frozen: ['frozen'],
}
/** Whether a medicine may lie in a warehouse: what keeps at room temperature keeps in the cool as well. */
export const mayStore = (medicine: StorageClass, warehouse: StorageClass): boolean =>
  storesIn[medicine].includes(warehouse)

export const warehouseRefusals = defineRefusals('stock', {
  'warehouse.nameTaken': 409,
  'warehouse.state': 409,
  'warehouse.range': 422,
  'warehouse.keeper': 422,
  'warehouse.readingAhead': 422,
  /** A medicine whose label asks for another class of storage. */
  'warehouse.storage': 409,
  /** Fewer lie there than are asked for. */
  'warehouse.less': 409,
})

const whole = (least: number, most: number) => z.coerce.number().int().min(least).max(most)

export const warehouse = entity({
  domain: 'stock',
  kind: 'warehouse',
  path: '/api/warehouses',
  right: 'warehouse',
  owner: 'merchant',
  editable: {
    name: zNeeded(80),
    storage: z.enum(storageClasses).default('room'),
    address: zLine(120).default(''),
    keeperId: zId.nullable().default(null),
    lowestC: whole(-40, 60).default(10),
    highestC: whole(-40, 60).default(30),
    highestHumidity: whole(1, 100).default(75),
  },
  facts: {
    keeperName: z.string().nullable(),
    productCount: z.int(),
    pieces: z.int(),
    valueFen: zFen,
    /** On their way to it. */
    coming: z.int(),
    lastC: z.number().nullable(),
    lastReadAt: zInstant.nullable(),
    isExcursion: z.boolean(),
  },
  show: {
    storage: { kind: 'state', words: 'storage', tones: {} },
    valueFen: { kind: 'money' },
    lastC: { kind: 'count' },
    lastReadAt: { kind: 'dateTime', saysNever: true },
  },
  states: { table: onOff, tones: onOffTones, refusal: 'warehouse.state' },
  unique: { warehouse_merchant_id_name_key: 'warehouse.nameTaken' },
  filters: {
    q: zSearch.optional(),
    storage: zAnyOf(storageClasses).optional(),
    state: z.enum(onOff.states).optional(),
    merchantId: zId.optional(),
  },
  sorts: ['name', 'value', 'newest'],
})

/** Also what a picker of warehouses asks. */
export const listWarehouses = warehouse.list('Warehouses in sight with what lies there, at cost')
export const getWarehouse = warehouse.get('One warehouse with its last readings', {
  readings: z.array(
    z.object({
      id: z.int(),
      at: zInstant,
      temperatureC: z.number(),
      humidity: z.int().nullable(),
      isExcursion: z.boolean(),
      note: z.string(),
      reader: z.string(),
    }),
  ),
})
export const addWarehouse = warehouse.add('Add a warehouse', ['warehouse.range', 'warehouse.keeper'])
export const editWarehouse = warehouse.edit('Change what is known of a warehouse', [
  'warehouse.range',
  'warehouse.keeper',
])
export const stopWarehouse = warehouse.move('stop', 'Take nothing more into a warehouse')
export const resumeWarehouse = warehouse.move('resume', 'Use a stopped warehouse again')
export const removeWarehouse = warehouse.remove('Delete a warehouse that nothing ever lay in')

export const addReading = warehouse.verb(
  'addReading',
  '/{id}/readings',
  {
    id: zId,
    readAt: zInstant,
    temperatureC: z.coerce.number().min(-60).max(80).multipleOf(0.1),
    humidity: whole(0, 100).nullable().default(null),
    note: zLine(200).default(''),
  },
  'Record what thermometer and hygrometer show; out of range it stands out',
  ['warehouse.readingAhead'],
)

const lying = z.object({
  id: z.int(),
  warehouseId: z.int(),
  warehouseName: z.string(),
  merchantId: z.int(),
  merchantName: z.string(),
  productId: z.int(),
  productCode: z.string(),
  productName: z.string(),
  specification: z.string(),
  /** Empty where nothing is told apart by it. */
  batch: z.string(),
  expiresOn: zDay.nullable(),
  quantity: z.int(),
  /** At the moving average of the product there. */
  valueFen: zFen,
})
export type Lying = z.output<typeof lying>

export const listWarehouseStock = listEndpoint({
  name: 'stock.listWarehouseStock',
  path: '/api/warehouse-stock',
  access: 'warehouse.read',
  summary: 'What lies in warehouses in sight, by product and batch, at cost',
  filters: {
    q: zSearch.optional(),
    warehouseId: zId.optional(),
    productId: zId.optional(),
    merchantId: zId.optional(),
  },
  sorts: ['product'],
  item: lying,
  sums: { quantity: z.int(), valueFen: zFen },
})

export const lyingFields = {
  productName: codedNameField,
  productCode: { kind: 'ref', to: 'spgl/wdsp', by: 'code' },
  specification: { kind: 'text' },
  batch: batchField,
  expiresOn: { kind: 'day' },
  warehouseName: { kind: 'text' },
  quantity: { kind: 'count' },
  valueFen: { kind: 'money' },
  merchantName: { kind: 'text' },
} satisfies Fields

export const warehouseCauses = [
  'opening',
  'purchase',
  'transfer',
  'fill',
  'remove',
  'count',
  'scrap',
  'return',
  'free',
] as const

const moved = z.object({
  id: z.int(),
  movedAt: zInstant,
  warehouseName: z.string(),
  otherName: z.string().nullable(),
  merchantId: z.int(),
  productCode: z.string(),
  productName: z.string(),
  batch: z.string().nullable(),
  cause: z.enum(warehouseCauses),
  /** In is positive, out is negative. */
  quantity: z.int(),
  costFen: zFen,
  reference: z.string(),
  by: z.string().nullable(),
})
export type WarehouseMove = z.output<typeof moved>

export const listWarehouseMoves = listEndpoint({
  name: 'stock.listWarehouseMoves',
  path: '/api/warehouse-moves',
  access: 'warehouse.read',
  summary: 'What came into warehouses in sight and left them, at cost, newest first',
  filters: {
    q: zSearch.optional(),
    warehouseId: zId.optional(),
    productId: zId.optional(),
    cause: zAnyOf(warehouseCauses).optional(),
    merchantId: zId.optional(),
  },
  sorts: ['newest'],
  item: moved,
  sums: { quantity: z.int(), costFen: zFen },
})

export const movedFields = {
  movedAt: { kind: 'dateTime' },
  productName: codedNameField,
  productCode: { kind: 'ref', to: 'spgl/wdsp', by: 'code' },
  batch: batchField,
  warehouseName: { kind: 'text' },
  otherName: { kind: 'text' },
  cause: { kind: 'state', words: 'moveCause', tones: {} },
  quantity: { kind: 'count' },
  costFen: { kind: 'money' },
  reference: { kind: 'code' },
  by: { kind: 'text' },
} satisfies Fields

export const summariseWarehouses = endpoint({
  name: 'stock.summariseWarehouses',
  method: 'GET',
  path: '/api/warehouses/summary',
  access: 'warehouse.read',
  input: z.strictObject({}),
  output: z.object({ valueFen: zFen, onWayFen: zFen, excursions: z.int() }),
  summary: 'What lies in warehouses in sight at cost, what is on its way, and where the climate is out of range',
})
