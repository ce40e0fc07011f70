/** What a ranking is by, and which end of it is shown; neither end where it goes by what changed most. */
export type Measure = { isByCount: boolean; end: 'most' | 'least' | null }

/** @param count what the list calls its count: `quantity` or `orders` */
export const measureOf = (sort: string, count: string): Measure => ({
  isByCount: sort.startsWith(count),
  end: sort === 'change' ? null : sort.endsWith('Least') ? 'least' : 'most',
})

export const sortOf = ({ isByCount, end }: Measure, count: string): string =>
  `${isByCount ? count : 'paid'}${end === 'least' ? 'Least' : ''}`

type Figures = { value: number; before: number }

/** What is not shown, so that the rows and it come to the whole. */
export function othersOf(shown: readonly Figures[], whole: Figures & { rows: number }): Figures & { rows: number } {
  const sum = (of: keyof Figures) => shown.reduce((so, each) => so + each[of], 0)
  return {
    rows: Math.max(0, whole.rows - shown.length),
    value: whole.value - sum('value'),
    before: whole.before - sum('before'),
  }
}
