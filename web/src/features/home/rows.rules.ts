import type { Panel } from '@aisle/contract/home/dashboard'

/** The day's hours want the whole width. */
const isWide = (panel: Panel): boolean => panel === 'sales'

/** About how tall each is: lists of machines and alarms, beside a line or two of figures. */
const heights: Record<Panel, number> = {
  sales: 6,
  broken: 6,
  runningOut: 5,
  machines: 3,
  waiting: 2,
  work: 2,
  prescriptions: 2,
  payments: 5,
  topProducts: 5,
  topMachines: 5,
  topOperators: 5,
}

/**
 * Panels in their order, as rows of one or two columns: wide ones stand alone, the others side by side, each in the
 * column that is shorter so far.
 */
export function rowsOf(order: readonly Panel[]): Panel[][][] {
  const rows: Panel[][][] = []
  let [left, right]: [Panel[], Panel[]] = [[], []]
  const close = () => {
    if (left.length > 0) rows.push([left, right].filter((column) => column.length > 0))
    ;[left, right] = [[], []]
  }
  for (const panel of order) {
    if (!isWide(panel)) {
      const shorter = heightOf(right) < heightOf(left) ? right : left
      shorter.push(panel)
      continue
    }
    close()
    rows.push([[panel]])
  }
  close()
  return rows
}

const heightOf = (column: readonly Panel[]) => column.reduce((height, panel) => height + heights[panel], 0)
