import { addProduct, productTyped } from '@aisle/contract/catalog/product'
import { type ProductColumn, productColumns } from '@aisle/contract/catalog/productImport'
import { z } from 'zod'
import { dayIn, fenIn, partsOf } from '../../../kernel/sheet/sheet.cells'
import { type SheetForm, type SheetRow, valueReader } from '../../../kernel/sheet/sheet.form'
import { faultsOf, type JudgedRow, type RowFault } from '../../../kernel/sheet/sheet.judge'
import { wrongOf } from '../product.rules'

export const productSheet: SheetForm = {
  domain: 'catalog',
  wordOf: (column) => `field.${column}`,
  columns: productColumns,
  needed: ['code', 'name', 'costFen', 'priceFen'],
  file: 'aisle-products.xlsx',
  titles: { rows: 'import.sheet', rules: 'import.rules' },
}

/** What the form of a product asks for, checked by the same schema. */
const shape = z.object({ code: addProduct.input.shape.code, ...productTyped })
export type NewProduct = z.output<typeof shape>

/** What the database knows of what a sheet names. */
export type ImportWorld = {
  takenCodes: ReadonlySet<string>
  /** By barcode, the product that has it. */
  takenBarcodes: ReadonlyMap<string, string>
  /** By name and by the way from the top, `Drinks / Cola`; several may have one name. */
  categories: ReadonlyMap<string, readonly number[]>
  conditions: ReadonlyMap<string, readonly number[]>
  /** By code and by word in any language. */
  tags: ReadonlyMap<string, string>
}

/** What rows before have named. */
export type Seen = { codes: Set<string>; barcodes: Set<string> }

/** A row by the rules of the form, then against what there is, then against the rows before. */
export function judgeProduct(cells: SheetRow['cells'], world: ImportWorld, seen: Seen): JudgedRow<NewProduct> {
  const { typed, unknown } = typedRow(cells, world)
  const parsed = shape.safeParse(typed)
  const faults = [...onePerColumn(faultsOf(parsed.error, typed)), ...unknown]
  if (parsed.data) faults.push(...wrongOf(parsed.data).map(({ code, field }) => faultOf(field, `refusal.${code}`)))
  const { code = '' } = cells
  if (code && world.takenCodes.has(code)) faults.push(faultOf('code', 'import.codeTaken'))
  if (code && seen.codes.has(code)) faults.push(faultOf('code', 'import.codeTwice'))
  seen.codes.add(code)
  for (const barcode of new Set(parsed.data?.barcodes.map((each) => each.code))) {
    const name = world.takenBarcodes.get(barcode)
    if (name !== undefined) faults.push(faultOf('barcodes', 'refusal.product.barcodeTaken', { code: barcode, name }))
    if (seen.barcodes.has(barcode)) faults.push(faultOf('barcodes', 'import.barcodeTwice', { code: barcode }))
    seen.barcodes.add(barcode)
  }
  return { good: parsed.data ?? null, faults }
}

const faultOf = (column: string, key: string, vars?: RowFault['vars']): RowFault => ({
  column,
  domain: 'catalog',
  key,
  vars,
})

/** A barcode that is wrong is wrong once, and is faultOf in the words of its rule. */
function onePerColumn(faults: readonly RowFault[]): RowFault[] {
  const first = new Map<string, RowFault>()
  for (const fault of faults) if (!first.has(fault.column)) first.set(fault.column, reworded(fault))
  return [...first.values()]
}

const reworded = (fault: RowFault): RowFault => {
  const isMissing = fault.key === 'field.required'
  if (fault.column === 'barcodes') return faultOf('barcodes', 'import.barcode')
  if (fault.column === 'code' && !isMissing) return faultOf('code', 'rule.code')
  if ((fault.column === 'costFen' || fault.column === 'priceFen') && !isMissing)
    return faultOf(fault.column, 'import.money')
  return fault
}

type Typed = { typed: Record<string, unknown>; unknown: RowFault[] }

/** Cells as the schema takes them: an empty one is not faultOf, and what can't be read stays to be turned down. */
function typedRow(cells: SheetRow['cells'], world: ImportWorld): Typed {
  const typed: Record<string, unknown> = { picture: null }
  const unknown: RowFault[] = []
  for (const column of productColumns) {
    const text = cells[column]
    if (!text) continue
    const read = readers[column]?.(text, world) ?? { value: text }
    if (read.fault) unknown.push(faultOf(column, `import.${read.fault}`, { name: read.name ?? text }))
    else typed[column] = read.value
  }
  return { typed, unknown }
}

type Read = { value?: unknown; fault?: string; name?: string }

const jointIn = valueReader('admin', 'cell', ['yes', 'no'])
/** What no schema takes. */
const unread = Number.NaN

const readers: { [C in ProductColumn]?: (text: string, world: ImportWorld) => Read } = {
  costFen: (text) => ({ value: fenIn(text) ?? unread }),
  priceFen: (text) => ({ value: fenIn(text) ?? unread }),
  shelfLifeDays: (text) => ({ value: /^[0-9]{1,6}$/.test(text) ? Number(text) : unread }),
  producedOn: (text) => ({ value: dayIn(text) ?? text }),
  bestBefore: (text) => ({ value: dayIn(text) ?? text }),
  isJointVenture: (text) => {
    const value = jointIn(text)
    return value === null ? { fault: 'yesNo' } : { value: value === 'yes' }
  },
  barcodes: (text) => ({ value: partsOf(text.replaceAll(/\s+/g, ',')).map(barcodeIn) }),
  categoryId: (text, { categories }) => one(text, categories, 'category'),
  conditionIds: (text, { conditions }) => all(text, (name) => one(name, conditions, 'condition')),
  tags: (text, { tags }) =>
    all(text, (name) => {
      const value = tags.get(name.toLowerCase())
      return value === undefined ? { fault: 'tagUnknown', name } : { value }
    }),
}

/** `6901028075763`, or `6901028075763*12` of a pack of twelve. */
function barcodeIn(text: string): { code: string; packUnits: number } {
  const [, code = text, units = '1'] = /^([0-9]+)[*x×]([0-9]{1,5})$/i.exec(text) ?? []
  return { code, packUnits: Number(units) }
}

function one(name: string, known: ReadonlyMap<string, readonly number[]>, what: 'category' | 'condition'): Read {
  const ids = known.get(pathKey(name)) ?? []
  if (ids.length > 1) return { fault: `${what}Twice`, name }
  const [value] = ids
  return value === undefined ? { fault: `${what}Unknown`, name } : { value }
}

function all(text: string, read: (name: string) => Read): Read {
  const found = partsOf(text).map(read)
  return found.find(({ fault }) => fault) ?? { value: [...new Set(found.map(({ value }) => value))] }
}

/** However a way is written: `Drinks/Cola` and `drinks > cola` are one. */
export const pathKey = (text: string): string =>
  text
    .split(/[/>＞]/)
    .map((each) => each.trim().toLowerCase())
    .join('/')
