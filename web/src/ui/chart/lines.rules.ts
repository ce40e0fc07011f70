/** A value at a time in ms or at a place of an axis; `low` and `high` where it stands for a span of values. */
export type ChartPoint = { at: number; value: number; low?: number; high?: number }

/** Places that all lines share, in order, and a value of each there: null parts a line, undefined is passed over. */
export type Aligned = { at: number[]; values: (number | null | undefined)[][] }

/**
 * Lines on shared places. Between two points further apart than `longest` a line is parted: drawn through, it would
 * claim what nobody measured.
 */
export function aligned(lines: readonly (readonly ChartPoint[])[], longest: number): Aligned {
  const known = lines.map((points) => new Map(points.map(({ at, value }) => [at, value as number | null])))
  for (const [line, points] of lines.entries()) {
    for (const [index, { at }] of points.entries()) {
      const last = points[index - 1]?.at
      if (last !== undefined && at - last > longest) known[line]?.set((last + at) / 2, null)
    }
  }
  const at = [...new Set(known.flatMap((values) => [...values.keys()]))].sort((one, other) => one - other)
  return { at, values: known.map((values) => at.map((each) => values.get(each))) }
}

/** What a line says at a place: its own value there or the nearest one; null in a gap. */
export function valueNear({ values }: Aligned, line: number, index: number): number | null {
  const all = values[line] ?? []
  for (let away = 0; away < all.length; away += 1) {
    for (const each of [all[index - away], all[index + away]]) if (each !== undefined) return each
  }
  return null
}

/** Whole places between two, no more than `most`, evenly apart. */
export function placesBetween(from: number, to: number, most: number): number[] {
  const [first, last] = [Math.ceil(from), Math.floor(to)]
  const step = Math.max(1, Math.ceil((last - first + 1) / Math.max(1, most)))
  return Array.from({ length: Math.max(0, Math.floor((last - first) / step) + 1) }, (_, at) => first + at * step)
}

/** Between lines at round values, 1, 2 or 5 of a power of ten: the least that draws no more than five up to `most`. */
export function roundStep(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(most, Number.MIN_VALUE) / 5))
  return ([1, 2, 5].find((each) => each * power >= most / 5) ?? 10) * power
}
