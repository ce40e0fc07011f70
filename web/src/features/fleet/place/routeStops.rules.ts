/** A list with one of its things moved to another place; beyond the ends there is none. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const thing = list[from]
  if (thing === undefined || to < 0 || to >= list.length) return [...list]
  const rest = list.filter((_, at) => at !== from)
  return [...rest.slice(0, to), thing, ...rest.slice(to)]
}

/** Whether saving would change anything. */
export const isSameOrder = (one: readonly { id: number }[], other: readonly { id: number }[]): boolean =>
  one.length === other.length && one.every(({ id }, at) => id === other[at]?.id)
