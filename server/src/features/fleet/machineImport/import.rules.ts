import { licenceModes, machineCategories } from '@aisle/contract/fleet/machine'
import { addMachine, editable } from '@aisle/contract/fleet/machineForm'
import { importNames, type ImportFault } from '@aisle/contract/fleet/machineImport'
import { findingsOf } from '@aisle/contract/kernel/problems'
import type { Language } from '@aisle/contract/kernel/text'
import { z } from 'zod'
import { word } from '../../../kernel/words'
import type { ImportWorld } from './import.reads'
import { type SheetRow, valueReader } from './import.sheet'

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
/** Said by its keys: a text is made for those that are shown, which of thousands are few. */
export type RowFault = { row: number; code: string; column: string } & Said
export type Judged = { good: Good | null; faults: readonly RowFault[] }

type Said = { domain: 'fleet' | 'kernel'; key: string; vars?: Record<string, string | number> | undefined }
type Place = { id: number; name: string }
type Fault = { column: string } & Said

/** What stands in the column may be as long as the sheet. */
const MOST_CODE_CHARS = 60

/** A row by itself, then against those before: a code stands in a sheet once. @param codes of the rows before */
export function judgeRow({ row, cells }: SheetRow, world: ImportWorld, codes: Set<string>): Judged {
  const code = cells.code ?? ''
  const { good, faults } = judgeCells(cells, world)
  if (codes.has(code)) faults.push(say('code', 'codeTwice'))
  codes.add(code)
  const shown = code.slice(0, MOST_CODE_CHARS)
  return {
    good: faults.length === 0 ? good : null,
    faults: faults.map((each) => ({ row, code: shown, ...each })),
  }
}

/** In the words of the caller, the column too. */
export const worded = ({ row, code, column, domain, key, vars }: RowFault, language: Language): ImportFault => ({
  row,
  code,
  column: word(language, 'fleet', `sheet.${column}`),
  message: word(language, domain, key, vars),
})

const say = (column: string, key: string): Fault => ({ column, domain: 'fleet', key: `import.${key}` })

function judgeCells(cells: SheetRow['cells'], world: ImportWorld): { good: Good | null; faults: Fault[] } {
  const input = typedRow(cells)
  const parsed = shape.safeParse(input)
  const faults = (parsed.error?.issues ?? []).flatMap((issue) =>
    findingsOf(issue, input).map(
      ({ path, reason, vars }): Fault => ({ column: path, domain: 'kernel', key: `field.${reason}`, vars }),
    ),
  )
  const { code = '', merchant: merchantName = '', point: pointName = '', route: routeName = '' } = cells
  if (world.takenCodes.has(code)) faults.push(say('code', 'codeTaken'))
  const [merchant, twin] = world.merchants.get(merchantName) ?? []
  if (!merchant) return { good: null, faults: [...faults, say('merchant', 'merchantUnknown')] }
  if (twin) return { good: null, faults: [...faults, say('merchant', 'merchantTwice')] }
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

const categoryIn = valueReader('category', machineCategories)
const licenceIn = valueReader('licence', licenceModes)
const numbers: ReadonlySet<string> = new Set(['layers', 'slotsPerLayer', 'temperatureMinC', 'temperatureMaxC'])

/** Cells as the schema takes them; an empty one is not said, and what is no number stays to be turned down. */
function typedRow(cells: SheetRow['cells']): Record<string, unknown> {
  const typed: Record<string, unknown> = {}
  for (const name of importNames) {
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
