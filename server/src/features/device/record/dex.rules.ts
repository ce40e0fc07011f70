import { checkValue } from '@aisle/contract/device/auditFile'

/** A counter since the machine was initialised, and since it was last reset; amounts in fen. */
export type Counter = { initCount: number; initFen: number; resetCount: number; resetFen: number }

export type DexSelection = {
  code: string
  /** As set in the machine; null where it says none. */
  priceFen: number | null
  name: string
  paid: Counter | null
  test: Counter | null
  free: Counter | null
  soldOuts: number | null
}
export type DexEvent = { id: string; sinceReset: number; sinceInit: number; isActive: boolean }
export type DexTube = { tube: number; coinFen: number; coins: number }

/** What an audit file says; null and empty where it says nothing. */
export type DexRead = {
  serial: string
  model: string
  assetNumber: string
  boardVersion: string
  /** The machine's own clock, as it wrote it. */
  clock: string
  totals: Record<DexTotal, Counter | null>
  /** Since the last reset: what came in as cash, and where it went. */
  cash: { inFen: number; toBoxFen: number; toTubesFen: number; billsFen: number } | null
  tubesFen: number | null
  tubes: DexTube[]
  selections: DexSelection[]
  events: DexEvent[]
  reads: number | null
  powerCuts: number | null
}
export const dexTotals = ['paid', 'test', 'free', 'cash', 'cashless1', 'cashless2'] as const
export type DexTotal = (typeof dexTotals)[number]

/** Why a file is not believed: not one at all, cut short, a line too few or many, or a wrong check value. */
export type DexFault = 'notDex' | 'noEnd' | 'lineCount' | 'checkValue'

type Line = { id: string; fields: readonly string[] }

/**
 * An EVA-DTS audit file (version 6): lines of `BLOCK*field*field`. It is believed only whole: SE01 is the number of
 * lines from ST to SE, and G85 the CRC-16 over all from ST to the line before G85.
 */
export function readDex(text: string): { ok: true; read: DexRead } | { ok: false; fault: DexFault } {
  const lines = text.split(/\r\n|\n|\r/).filter((line) => line !== '')
  const first = lines.findIndex((line) => line.startsWith('ST*'))
  const check = lines.findIndex((line) => line.startsWith('G85*'))
  const last = lines.findIndex((line) => line.startsWith('SE*'))
  if (first < 0) return { ok: false, fault: 'notDex' }
  if (last < check || check < first) return { ok: false, fault: 'noEnd' }
  if (Number(fieldsOf(lines[last])[0]) !== last - first + 1) return { ok: false, fault: 'lineCount' }
  const wanted = (fieldsOf(lines[check])[0] ?? '').toUpperCase().padStart(4, '0')
  if (wanted !== checkValue(lines.slice(first, check))) return { ok: false, fault: 'checkValue' }
  return { ok: true, read: readLines(lines.slice(first + 1, check).map(lineOf)) }
}

const fieldsOf = (line = ''): readonly string[] => line.split('*').slice(1)
const lineOf = (line: string): Line => ({ id: line.slice(0, line.indexOf('*')), fields: fieldsOf(line) })

function readLines(lines: readonly Line[]): DexRead {
  const find = (id: string) => lines.find((line) => line.id === id)?.fields
  const text = (id: string, place: number) => find(id)?.[place - 1] ?? ''
  const toFen = scale(number(text('ID4', 1)) ?? 2)
  const total = (id: string) => valueFirst(find(id), toFen)
  const cash = find('CA3')
  return {
    serial: text('ID1', 1),
    model: text('ID1', 2),
    assetNumber: text('ID1', 6),
    boardVersion: text('CB1', 3),
    clock: [text('ID5', 1), text('ID5', 2)].filter(Boolean).join(' '),
    totals: {
      paid: total('VA1'),
      test: total('VA2'),
      free: total('VA3'),
      cash: total('CA2'),
      cashless1: total('DA2'),
      cashless2: total('DB2'),
    },
    cash: cash ? cashOf(cash, toFen) : null,
    tubesFen: toFen(number(text('CA15', 1))),
    tubes: lines.filter(({ id }) => id === 'CA17').flatMap(({ fields }) => tubeOf(fields, toFen)),
    selections: selectionsOf(lines, toFen),
    events: lines.filter(({ id }) => id === 'EA2').map(({ fields }) => eventOf(fields)),
    reads: number(text('EA3', 1)),
    powerCuts: number(text('EA7', 2)) ?? number(text('EA7', 1)),
  }
}

type ToFen = (value: number | null) => number | null

/** Values are whole numbers of the smallest unit that the machine counts in. */
const scale =
  (decimals: number): ToFen =>
  (value) =>
    value === null ? null : Math.round(value * 10 ** (2 - decimals))

function number(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : null
}

/** VA, CA2 and DA write the value before the number, PA the number before the value. */
function valueFirst(fields: readonly string[] | undefined, toFen: ToFen): Counter | null {
  return fields ? counter([fields[1], fields[0], fields[3], fields[2]], toFen) : null
}

function counter(fields: readonly (string | undefined)[], toFen: ToFen): Counter {
  const [initCount, initFen, resetCount, resetFen] = fields.map((field) => number(field) ?? 0)
  const fen = (value = 0) => toFen(value) ?? 0
  return { initCount: initCount ?? 0, initFen: fen(initFen), resetCount: resetCount ?? 0, resetFen: fen(resetFen) }
}

function cashOf(fields: readonly string[], toFen: ToFen): DexRead['cash'] {
  const [inFen, toBoxFen, toTubesFen, billsFen] = fields.map((field) => toFen(number(field)) ?? 0)
  return { inFen: inFen ?? 0, toBoxFen: toBoxFen ?? 0, toTubesFen: toTubesFen ?? 0, billsFen: billsFen ?? 0 }
}

function tubeOf([tube, coin, coins]: readonly string[], toFen: ToFen): DexTube[] {
  const coinFen = toFen(number(coin))
  return coinFen === null ? [] : [{ tube: number(tube) ?? 0, coinFen, coins: number(coins) ?? 0 }]
}

const eventOf = ([id = '', sinceReset, sinceInit, active]: readonly string[]): DexEvent => ({
  id,
  sinceReset: number(sinceReset) ?? 0,
  sinceInit: number(sinceInit) ?? 0,
  isActive: active === '1',
})

/** PA1 opens a selection; the PA lines up to the next PA1 are of it. */
function selectionsOf(lines: readonly Line[], toFen: ToFen): DexSelection[] {
  const selections: DexSelection[] = []
  for (const { id, fields } of lines) {
    if (id === 'PA1') {
      const [code = '', price, name = ''] = fields
      const bare = { paid: null, test: null, free: null, soldOuts: null }
      selections.push({ code, priceFen: toFen(number(price)), name, ...bare })
    }
    const current = selections.at(-1)
    if (!current) continue
    if (id === 'PA2') current.paid = counter(fields, toFen)
    if (id === 'PA3') current.test = counter(fields, toFen)
    if (id === 'PA4') current.free = counter(fields, toFen)
    if (id === 'PA5') current.soldOuts = number(fields[2])
  }
  return selections
}

export type SoldBetween = { code: string; count: number; fen: number }

/**
 * What was sold between two reads, by selection: the difference of the counters since initialisation. Counters that go
 * down mean another board or a reset: a new epoch begins, and nothing is said of the time between.
 */
export function soldBetween(
  earlier: readonly DexSelection[],
  later: readonly DexSelection[],
): { isNewEpoch: boolean; sold: SoldBetween[] } {
  const before = new Map(earlier.map((each) => [each.code, each.paid]))
  const sold = later.flatMap(({ code, paid }): SoldBetween[] => {
    const was = before.get(code)
    if (!paid || !was) return []
    return [{ code, count: paid.initCount - was.initCount, fen: paid.initFen - was.initFen }]
  })
  const isNewEpoch = sold.some(({ count, fen }) => count < 0 || fen < 0)
  return { isNewEpoch, sold: isNewEpoch ? [] : sold }
}
