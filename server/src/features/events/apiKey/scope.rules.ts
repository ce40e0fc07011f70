import { peoplesPermissions } from '@aisle/contract/events/peopleOnly'
import { isGranted } from '@aisle/contract/identity/permissions'
import type { Permission } from '@aisle/contract/kernel/endpoint'
import { type KnownPermission, permissionOf, permissions } from '@aisle/contract/permissions'

/** What somebody with these grants may give a key: nobody gives what they don't hold. */
export const mayHaveScope = (grants: readonly string[], code: string): boolean =>
  permissionOf(code) !== undefined && !peoplesPermissions.has(code) && isGranted(grants, code as Permission)

export const scopesFor = (grants: readonly string[]): readonly KnownPermission[] =>
  permissions.filter(({ code }) => mayHaveScope(grants, code))
