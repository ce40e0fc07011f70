export type CurvePoint = { atMs: number; value: number; lowest: number; highest: number }
export type Frame = { fromMs: number; toMs: number; lowest: number; highest: number }

/** Room for the values and what they are to keep to, to whole units, never flat. */
export function frameOf(points: readonly CurvePoint[], limits: readonly (number | null)[], span: Span): Frame {
  const known = limits.flatMap((limit) => limit ?? [])
  const values = [...points.flatMap(({ lowest, highest }) => [lowest, highest]), ...known]
  const lowest = Math.floor(Math.min(...values, Number.POSITIVE_INFINITY))
  const highest = Math.ceil(Math.max(...values, Number.NEGATIVE_INFINITY))
  if (values.length === 0) return { ...span, lowest: 0, highest: 1 }
  return { ...span, lowest: lowest - 1, highest: highest + 1 }
}
type Span = { fromMs: number; toMs: number }

/** Runs of points between which no value is missing: a line over a silence would claim what nobody measured. */
export function runsOf(points: readonly CurvePoint[], longestMs: number): CurvePoint[][] {
  const runs: CurvePoint[][] = []
  for (const point of points) {
    const run = runs.at(-1)
    const last = run?.at(-1)
    if (run && last && point.atMs - last.atMs <= longestMs) run.push(point)
    else runs.push([point])
  }
  return runs
}

/** Places in a box of `width` by `height`, from the top left. */
export const placeIn =
  ({ fromMs, toMs, lowest, highest }: Frame, width: number, height: number) =>
  (atMs: number, value: number): readonly [x: number, y: number] => [
    ((atMs - fromMs) / Math.max(1, toMs - fromMs)) * width,
    height - ((value - lowest) / Math.max(0.001, highest - lowest)) * height,
  ]
