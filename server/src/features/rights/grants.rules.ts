import { isGranted } from '@aisle/contract/identity/permissions'
import type { Permission } from '@aisle/contract/kernel/endpoint'
import { EXTERNAL, nounOf, permissionOf, permissions, unfolded } from '@aisle/contract/permissions'

export type Wanted = {
  /** What the role holds afterwards, wildcards among it. */
  stored: string[]
  granted: string[]
  taken: string[]
  unknown: string[]
}

/**
 * What a ticked tree means for a role. A wildcard that the role had stays while all that it grants today stays ticked,
 * since it also stands for what later versions add; everything else is kept code by code.
 * @param held the role's permissions as they are stored @param external codes of other systems that there are
 */
export function wantedGrants(held: readonly string[], ticked: readonly string[], external: readonly string[]): Wanted {
  const before = written(held, external)
  const after = [...new Set(ticked)]
  const isKnown = (code: string) => permissionOf(code) !== undefined || external.includes(code)
  const kept = held.filter((grant) => isWildcard(grant) && meant(grant, external).every((code) => after.includes(code)))
  return {
    stored: [...kept, ...after.filter((code) => !isGranted(kept, code as Permission))].sort(),
    granted: after.filter((code) => !before.includes(code)),
    taken: before.filter((code) => !after.includes(code)),
    unknown: after.filter((code) => !isKnown(code) && !before.includes(code)),
  }
}

const isWildcard = (grant: string): boolean => grant === '*' || grant.endsWith('.*')

/** Each permission of its own, those of other systems too. */
export function written(grants: readonly string[], external: readonly string[]): string[] {
  const others = external.filter((code) => isGranted(grants, code as Permission))
  return [...unfolded(grants).filter((code) => nounOf(code) !== EXTERNAL), ...others]
}

const meant = (wildcard: string, external: readonly string[]): string[] => written([wildcard], external)

/** Of a code that stands in a role but in no version of the product any more, nothing is left to show. */
export const countOf = (grants: readonly string[], external: readonly string[]): number =>
  grants.includes('*') ? permissions.length + external.length : written(grants, external).length

/** Codes that the person does not hold, and so may neither give nor take. */
export const notHeld = (own: readonly string[], codes: readonly string[]): string[] =>
  codes.filter((code) => !isGranted(own, code as Permission))
