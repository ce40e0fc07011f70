import { isCovered, reach, type UserKind } from '@aisle/contract/identity/permissions'
import type { hindrances } from '@aisle/contract/people/user'
import { grantsWithout } from '@aisle/contract/permissions'
import type { Actor } from '../../kernel/context'

type Hindrance = (typeof hindrances)[number]
type Person = { id: number; kind: UserKind; grants: readonly string[] }
type Asking = Pick<Actor, 'userId' | 'kind' | 'grants' | 'switchedOff'>

/**
 * Why somebody may not change a person, if so. Whoever can reset a password can sign in with it, so nobody may touch
 * an account that sees or may do more than they do.
 */
export function hindranceOf(actor: Asking, person: Person): Hindrance | null {
  if (actor.userId === person.id) return 'self'
  if (reach[person.kind] > reach[actor.kind]) return 'holdsMore'
  // What is switched off for everybody is switched off for both.
  return isCovered(actor.grants, grantsWithout(person.grants, actor.switchedOff)) ? null : 'holdsMore'
}

/** Permission levels that somebody may give in a merchant; administrators of the platform are its own people. */
export function kindsToGive(actor: Pick<Actor, 'kind'>, isPlatform: boolean): UserKind[] {
  const kinds: UserKind[] = ['ordinary', 'doctor', 'merchant_admin', 'platform_admin']
  return kinds.filter((kind) => reach[kind] <= reach[actor.kind] && (isPlatform || kind !== 'platform_admin'))
}
