/** The top of a zero-based scale: the next 1, 2 or 5 with zeros, at least one yuan (in fen). */
export function niceTop(most: number): number {
  if (most <= 100) return 100
  const decade = 10 ** Math.floor(Math.log10(most))
  return ([1, 2, 5].find((step) => step * decade >= most) ?? 10) * decade
}
