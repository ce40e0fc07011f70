import { licenceModes, machineCategories } from '@aisle/contract/fleet/machine'
import { addMachine, editable } from '@aisle/contract/fleet/machineForm'
import { importColumns, importNeeded } from '@aisle/contract/fleet/machineImport'
import { z } from 'zod'
import { type SheetForm, type SheetRow, valueReader } from '../../../kernel/sheet/sheet.form'
import { faultsOf, type JudgedRow, type RowFault } from '../../../kernel/sheet/sheet.judge'
import type { ImportWorld } from './import.reads'

export const machineSheet: SheetForm = {
  domain: 'fleet',
  wordOf: (column) => `sheet.${column}`,
  columns: importColumns,
  needed: importNeeded,
  file: 'aisle-machines.xlsx',
  titles: { rows: 'import.sheet', rules: 'import.rules' },
}

const shape = z.object({
  code: addMachine.input.shape.code,
  name: editable.name,
  category: editable.category,
  licenceMode: editable.licenceMode,
  layers: z.int().min(1).max(10),
  slotsPerLayer: z.int().min(1).max(10),
  model: editable.model,
  manufacturer: editable.manufacturer,
  hardwareVersion: editable.hardwareVersion,
  manufacturedOn: editable.manufacturedOn,
  warrantyUntil: editable.warrantyUntil,
  temperatureMinC: editable.temperatureMinC,
  temperatureMaxC: editable.temperatureMaxC,
})

export type Good = z.output<typeof shape> & {
  merchantId: number
  merchantName: string
  pointId: number
  pointName: string
  routeId: number | null
}
type Place = { id: number; name: string }

/** A row by itself, then against those before: a code stands in a sheet once. @param codes of the rows before */
export function judgeRow(cells: SheetRow['cells'], world: ImportWorld, codes: Set<string>): JudgedRow<Good> {
  const code = cells.code ?? ''
  const { good, faults } = judgeCells(cells, world)
  if (!codes.has(code)) {
    codes.add(code)
    return { good, faults }
  }
  return { good: null, faults: [...faults, say('code', 'codeTwice')] }
}

const say = (column: string, key: string): RowFault => ({ column, domain: 'fleet', key: `import.${key}` })

function judgeCells(cells: SheetRow['cells'], world: ImportWorld): JudgedRow<Good> {
  const input = typedRow(cells)
  const parsed = shape.safeParse(input)
  const faults = faultsOf(parsed.error, input)
  const { code = '', merchant: merchantName = '', point: pointName = '', route: routeName = '' } = cells
  if (world.takenCodes.has(code)) faults.push(say('code', 'codeTaken'))
  const [merchant, twin] = world.merchants.get(merchantName) ?? []
  if (!merchant) return { good: null, faults: [...faults, say('merchant', 'merchantUnknown')] }
  if (twin) return { good: null, faults: [...faults, say('merchant', 'merchantTwice')] }
  if (!merchant.hasPharmacy && (parsed.data?.licenceMode ?? 'none') !== 'none') {
    faults.push(say('licenceMode', 'noPharmacy'))
  }
  const fit = (places: readonly (Place & { merchantId: number; isStopped: boolean })[] = []) =>
    places.filter(({ merchantId }) => merchant.path.includes(merchantId))
  const points = fit(world.points.get(pointName))
  if (points.length !== 1) faults.push(say('point', points.length > 1 ? 'pointTwice' : 'pointUnknown'))
  if (points.length === 1 && points[0]?.isStopped) faults.push(say('point', 'pointStopped'))
  const routes = fit(world.routes.get(routeName))
  if (routeName && routes.length !== 1) faults.push(say('route', 'routeUnknown'))
  const { temperatureMinC: low, temperatureMaxC: high } = parsed.data ?? {}
  if (typeof low === 'number' && typeof high === 'number' && low >= high)
    faults.push({ column: 'temperatureMaxC', domain: 'fleet', key: 'rule.rangeRises' })
  const [point] = points
  if (!parsed.success || !point || faults.length > 0) return { good: null, faults }
  return {
    good: {
      ...parsed.data,
      merchantId: merchant.id,
      merchantName: merchant.name,
      pointId: point.id,
      pointName: point.name,
      routeId: routes[0]?.id ?? null,
    },
    faults,
  }
}

const categoryIn = valueReader('fleet', 'category', machineCategories)
const licenceIn = valueReader('fleet', 'licence', licenceModes)
const numbers: ReadonlySet<string> = new Set(['layers', 'slotsPerLayer', 'temperatureMinC', 'temperatureMaxC'])

/** Cells as the schema takes them; an empty one is not said, and what is no number stays to be turned down. */
function typedRow(cells: SheetRow['cells']): Record<string, unknown> {
  const typed: Record<string, unknown> = {}
  for (const name of importColumns) {
    const text = cells[name]
    if (!text) continue
    if (name === 'category') typed[name] = categoryIn(text) ?? text
    else if (name === 'licenceMode') typed[name] = licenceIn(text) ?? text
    else if (numbers.has(name)) typed[name] = Number.isFinite(Number(text)) ? Number(text) : text
    else if (name === 'manufacturedOn' || name === 'warrantyUntil') typed[name] = text.replaceAll('/', '-')
    else typed[name] = text
  }
  return typed
}
