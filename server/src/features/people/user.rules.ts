import { reach, type UserKind } from '@aisle/contract/identity/permissions'
import type { Actor } from '../../kernel/context'

/** Permission levels that somebody may give in a merchant; administrators of the platform are its own people. */
export function kindsToGive(actor: Pick<Actor, 'kind'>, isPlatform: boolean): UserKind[] {
  const kinds: UserKind[] = ['ordinary', 'doctor', 'merchant_admin', 'platform_admin']
  return kinds.filter((kind) => reach[kind] <= reach[actor.kind] && (isPlatform || kind !== 'platform_admin'))
}
