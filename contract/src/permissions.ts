import { endpoints } from './endpoints'
import { isGranted } from './identity/permissions'
import type { Access, Endpoint, Permission } from './kernel/endpoint'
import type { Screen } from './kernel/screen'
import { screens } from './screens'

/** A permission that a role may be given, with all that it opens; derived, so that no list can forget one. */
export type KnownPermission = {
  code: Permission
  noun: string
  action: string
  /** Pages that open with it. */
  screens: readonly Screen[]
  /** Calls that it allows. */
  endpoints: readonly Endpoint[]
}

const isPermission = (access: Access): access is Permission => access.includes('.')

export const nounOf = (code: string): string => code.slice(0, code.indexOf('.'))

/** In the order of the screens; what only calls ask for stands behind. */
export const permissions: readonly KnownPermission[] = [
  ...new Set([...screens, ...endpoints].map(({ access }) => access)),
]
  .filter(isPermission)
  .map((code) => ({
    code,
    noun: nounOf(code),
    action: code.slice(code.indexOf('.') + 1),
    screens: screens.filter(({ access }) => access === code),
    endpoints: endpoints.filter(({ access }) => access === code),
  }))

const known = new Map(permissions.map((each) => [each.code as string, each]))
export const permissionOf = (code: string): KnownPermission | undefined => known.get(code)

/** The page that a noun is at home on: where its other actions stand in a tree, and whose title names it. */
export function homeOf(noun: string): Screen | undefined {
  const own = screens.filter(({ access }) => isPermission(access) && nounOf(access) === noun)
  return own.find(({ shape, access }) => shape === 'list' && access.endsWith('.read')) ?? own[0]
}

/** Addresses of other systems have codes of their own noun, which nobody declares. */
export const EXTERNAL = 'ext'
const nouns = [...new Set(permissions.map(({ noun }) => noun)), EXTERNAL]
const codesOf = (noun: string): string[] => permissions.filter((each) => each.noun === noun).map(({ code }) => code)

/** Wildcards written out as what they grant today; codes of other systems stay as they are. */
export function unfolded(grants: readonly string[]): string[] {
  const own = permissions.filter(({ code }) => isGranted(grants, code)).map(({ code }) => code)
  const external = grants.filter((grant) => grant.startsWith(`${EXTERNAL}.`))
  return [...own, ...(grants.includes('*') ? [`${EXTERNAL}.*`] : external)]
}

/** What is left of the grants when some permissions are switched off for everybody. */
export function grantsWithout(grants: readonly string[], off: readonly string[]): string[] {
  if (off.length === 0) return [...grants]
  const touched = new Set(off.map(nounOf))
  const spread = grants.flatMap((grant) => (grant === '*' ? nouns.map((noun) => `${noun}.*`) : [grant]))
  const left = spread.flatMap((grant) => {
    const noun = nounOf(grant)
    return grant.endsWith('.*') && touched.has(noun) ? codesOf(noun) : [grant]
  })
  return [...new Set(left)].filter((grant) => !off.includes(grant))
}
