import { isTest, nodes, place, type Source } from './source'

/** Files of the server by the end of their names, and words of code that these never hold. */
type Role = { ends: readonly string[]; never: readonly string[] }

/** The table of ARCHITECTURE: in its last column stands in code spans what is looked for, and in words why. */
export function rolesIn(architecture: string): Role[] {
  const table = architecture.split('\n').filter((line) => line.startsWith('| `x.'))
  return table.map((line) => {
    const cells = line.split('|')
    const spansOf = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, span]) => span ?? '')
    const ends = spansOf(cells[1]).flatMap((name) => /^x(\.\w+\.ts)$/.exec(name)?.[1] ?? [])
    return { ends, never: spansOf(cells[3]) }
  })
}

export function outOfRole(source: Source, roles: readonly Role[]): string[] {
  if (!source.path.startsWith('server/') || isTest(source.path)) return []
  const never = new Set(
    roles.filter(({ ends }) => ends.some((end) => source.path.endsWith(end))).flatMap((role) => role.never),
  )
  if (never.size === 0) return []
  return [...nodes(source.program)].flatMap(({ node }) => {
    const word = node.type === 'AwaitExpression' ? 'await' : node.type === 'Identifier' ? String(node.name) : ''
    return never.has(word) ? [`${place(source, node.start)} has ${word}`] : []
  })
}
