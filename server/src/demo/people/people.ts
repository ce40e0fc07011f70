import { setImmediate as nextTurn } from 'node:timers/promises'
import { endpoints } from '@aisle/contract/endpoints'
import { defaultKdf, deriveKeys, type Keys } from '@aisle/contract/identity/signin'
import { screenAccesses } from '@aisle/contract/screens'
import { saltFor } from '../../features/identity/password/credential'
import { write } from '../../features/identity/password/credential.store'
import { demoMacOf, isShippedPassword } from '../../features/identity/password/shipped.commands'
import { addUser, setUserRoles } from '../../features/identity/public'
import { insert } from '../../features/merchant/merchant.store'
import { putGrants } from '../../features/rights/role.store'
import type { AuthKeys, Tx } from '../../kernel/context'
import { DEMO_OPERATOR, merchants, PLATFORM } from '../data/merchants'
import { platformNouns, type RoleSeed, users } from '../data/people'
import { spareRoles, templates, typesOfRoles } from '../data/roles'

export type Ids = ReadonlyMap<string, number>

/** What a code names; a missing one is a mistake in the demo's data. */
export function idOf(ids: Ids, code: string): number {
  const id = ids.get(code)
  if (id === undefined) throw new RangeError(`the demo names ${code}, which it did not make`)
  return id
}

/** Invented, like the numbers beside them. */
const contacts = ['沈嘉禾', '林远舟', '许知夏', '顾南乔', '陈望舒', '梁景行']

/** By what the form of a merchant does, and the platform itself. @returns ids by merchant code */
export async function seedMerchants(tx: Tx, since: Date): Promise<Ids> {
  const ids = new Map<string, number>()
  for (const [at, { code, parent, name, type, collectsPayment = false, hasHighGo = false }] of merchants.entries()) {
    const isPharmacy = type === 'pharmaceutical'
    const contact = { contact: contacts[at % contacts.length] ?? '', phone: `021 5550 ${1000 + at}` }
    const address = { address: `示例路 ${at + 1} 号`, servicePhone: parent === null ? '' : `400 820 ${1000 + at}` }
    const may = { collectsPayment, hasHighGo, hasPharmacy: isPharmacy, hasShopping: type === 'product' }
    const usual = { tags: '', singleSession: false, pickupCodeLimit: null, exchangeRate: 1 }
    const about = { name, type, ...contact, ...address, ...may, ...usual, category: isPharmacy ? 'pharmacy' : '' }
    ids.set(code, await insert(tx, parent === null ? null : idOf(ids, parent), code, about, since))
  }
  return ids
}

/** The people who sign in, with their roles, by the functions of the forms. @returns ids by account, and of roles */
export async function addAccounts(tx: Tx, merchantIds: Ids, at: Date): Promise<{ users: Ids; roles: Ids }> {
  const roles = await addRoles(tx, merchantIds)
  const ids = new Map<string, number>()
  for (const { account, displayName: name, kind, merchant, role } of users) {
    const id = await addUser(tx, { account, name, kind, language: 'zh', merchantId: idOf(merchantIds, merchant) }, at)
    const spare = spareRoles.filter(({ holders }) => holders.includes(account))
    const held = [role, ...spare].map((each) => idOf(roles, `${merchant}/${each.name}`))
    await setUserRoles(tx, id, held)
    ids.set(account, id)
  }
  return { users: ids, roles }
}

/** Those of the accounts, the platform's templates, and second ones for who works at two jobs. */
async function addRoles(tx: Tx, merchantIds: Ids): Promise<Ids> {
  const all = [
    ...users.map(({ merchant, role }) => ({
      ...role,
      merchant,
      type: typesOfRoles[role.name],
      grants: permissionsOf(role),
    })),
    ...templates.map((role) => ({ ...role, merchant: PLATFORM, isTemplate: true })),
    ...spareRoles.map(({ holders: _, ...role }) => ({ ...role, merchant: DEMO_OPERATOR })),
  ]
  const ids = new Map<string, number>()
  for (const { merchant, grants, ...role } of all) {
    const values = { ...role, merchantId: idOf(merchantIds, merchant) }
    const { id } = await tx.insertInto('role').values(values).returning('id').executeTakeFirstOrThrow()
    await putGrants(tx, id, grants)
    ids.set(`${merchant}/${role.name}`, id)
  }
  return ids
}

/** Nouns of all permissions that screens or endpoints ask for. */
export function knownNouns(): string[] {
  const accesses = [...screenAccesses(), ...endpoints.map((endpoint) => endpoint.access)]
  return [...new Set(accesses.filter((access) => access.includes('.')).map((access) => access.split('.')[0] ?? ''))]
}

export function permissionsOf(role: RoleSeed): string[] {
  if (role.grants !== 'everything') return [...role.grants]
  return knownNouns()
    .filter((noun) => !platformNouns.has(noun))
    .map((noun) => `${noun}.*`)
}

/**
 * What the accounts prove their password with. Each takes a while of pure computing, so other work gets its turn in
 * between: run this beside a long statement.
 */
export async function derivePasswords(keys: AuthKeys, password: string): Promise<ReadonlyMap<string, Keys>> {
  const derived = new Map<string, Keys>()
  for (const { account } of users) {
    await nextTurn()
    derived.set(account, deriveKeys(password, saltFor(keys, account), defaultKdf))
  }
  return derived
}

export async function seedPasswords(
  tx: Tx,
  keys: AuthKeys,
  { derived, password }: { derived: ReadonlyMap<string, Keys>; password: string },
  { userIds, at }: { userIds: Ids; at: Date },
): Promise<void> {
  const marks = { isShipped: isShippedPassword(password), demoMac: demoMacOf(keys, password) }
  for (const [account, opened] of derived) {
    const userId = idOf(userIds, account)
    await write(tx, keys, { userId, kdf: defaultKdf, opened, mustChange: false, at, ...marks })
  }
}
