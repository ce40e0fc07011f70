export type Department = { building: string; name: string }

/** As people write them: one a line, the building before a slash. Empty lines and repetitions count for nothing. */
export function departmentsIn(text: string): Department[] {
  const seen = new Map<string, Department>()
  for (const line of text.split('\n')) {
    const [before = '', ...after] = line.split(/[/／]/)
    const name = (after.length > 0 ? after.join('/') : before).trim()
    const building = after.length > 0 ? before.trim() : ''
    if (name !== '') seen.set(`${building}/${name}`, { building, name })
  }
  return [...seen.values()]
}

/** The other way. */
export const departmentsText = (departments: readonly Department[]): string =>
  departments.map(({ building, name }) => (building ? `${building} / ${name}` : name)).join('\n')
