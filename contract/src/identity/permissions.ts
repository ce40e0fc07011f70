import type { Access, Permission } from '../kernel/endpoint'

/** Kinds of user (spec §6). A doctor is tied to machines; the others see as domain rules say (server/kernel/scope). */
export const userKinds = ['platform_admin', 'merchant_admin', 'ordinary', 'doctor'] as const
export type UserKind = (typeof userKinds)[number]

/** How far each kind sees (specification §6): who sees less can't touch, or make, who sees more. */
export const reach: Record<UserKind, number> = { platform_admin: 3, merchant_admin: 2, ordinary: 1, doctor: 1 }

/** `*` grants everything: only the platform administrator's own role holds it. */
export type Grant = Permission | '*'

/** Any of these grants it: everything, its whole noun, or itself; one place decides, on both sides and in SQL. */
export const grantsGiving = (permission: string): string[] => [
  '*',
  `${permission.slice(0, permission.indexOf('.'))}.*`,
  permission,
]

export const isGranted = (grants: readonly string[], permission: Permission): boolean =>
  grantsGiving(permission).some((each) => grants.includes(each))

/** Whether somebody who is signed in with `grants` may call, or open, what has this access. */
export const mayOpen = (grants: readonly string[], access: Access): boolean =>
  access === 'public' || access === 'session' || isGranted(grants, access as Permission)

/** Whether somebody with `grants` holds all of `wanted`, wildcards too: who gives rights gives only their own. */
export const isCovered = (grants: readonly string[], wanted: readonly string[]): boolean =>
  wanted.every((each) => grants.includes('*') || (each !== '*' && isGranted(grants, each as Permission)))

/** What both lists grant: somebody who looks at the application as a role sees no more than they may themselves. */
export const bothGrant = (some: readonly string[], others: readonly string[]): string[] => [
  ...new Set([
    ...some.filter((each) => isCovered(others, [each])),
    ...others.filter((each) => isCovered(some, [each])),
  ]),
]
