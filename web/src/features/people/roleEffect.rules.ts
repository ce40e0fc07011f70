import { permissions, unfolded } from '@aisle/contract/permissions'

type Role = { id: number; surface: 'web' | 'app'; permissions: readonly string[] }
/** What comes or goes: pages by their keys, and how many permissions in all. */
export type Change = { pages: string[]; count: number }

/** What another set of roles would give and take in the web back office, where App roles count for nothing. */
export function effectOf(
  roles: readonly Role[],
  before: ReadonlySet<number>,
  after: ReadonlySet<number>,
): { gained: Change; lost: Change } {
  const grants = (chosen: ReadonlySet<number>) =>
    unfolded(roles.filter(({ id, surface }) => surface === 'web' && chosen.has(id)).flatMap((role) => role.permissions))
  const had = new Set(grants(before))
  const has = new Set(grants(after))
  return {
    gained: changeOf([...has].filter((code) => !had.has(code))),
    lost: changeOf([...had].filter((code) => !has.has(code))),
  }
}

function changeOf(codes: readonly string[]): Change {
  const pages = permissions.filter(({ code }) => codes.includes(code)).flatMap(({ screens }) => screens)
  return { pages: pages.map(({ key }) => key), count: codes.length }
}
