import { setImmediate as nextTurn } from 'node:timers/promises'
import { endpoints } from '@aisle/contract/endpoints'
import { defaultKdf, deriveKeys, type Keys } from '@aisle/contract/identity/signin'
import { screenAccesses } from '@aisle/contract/screens'
import { sql } from 'kysely'
import { rows } from '../../db/rows'
import { saltFor } from '../../features/identity/password/credential'
import { write } from '../../features/identity/password/credential.store'
import { demoMacOf, isShippedPassword } from '../../features/identity/password/shipped.commands'
import type { AuthKeys, Tx } from '../../kernel/context'
import { merchants } from '../data/merchants'
import { platformNouns, type RoleSeed, type UserSeed, users } from '../data/people'
import type { DemoMachine } from '../network/network'

export type Ids = ReadonlyMap<string, number>

/** What a code names; a missing one is a mistake in the demo's data. */
export function idOf(ids: Ids, code: string): number {
  const id = ids.get(code)
  if (id === undefined) throw new RangeError(`the demo names ${code}, which it did not make`)
  return id
}

/** Invented, like the numbers beside them. */
const contacts = ['沈嘉禾', '林远舟', '许知夏', '顾南乔', '陈望舒', '梁景行']

/** @returns ids by merchant code */
export async function seedMerchants(tx: Tx, since: Date): Promise<Ids> {
  const ids = new Map<string, number>()
  // One by one: a child's path is taken from its parent's row.
  for (const [at, { code, parent, name, type, collectsPayment }] of merchants.entries()) {
    const made = await sql<{ id: number }>`
      insert into merchant (parent_id, code, name, type, collects_payment, created_at, contact, phone, address,
        service_phone, has_pharmacy, has_shopping, category)
      values (${parent === null ? null : idOf(ids, parent)}, ${code}, ${name}, ${type}, ${collectsPayment ?? false},
        ${since}, ${contacts[at % contacts.length]}, ${`021 5550 ${1000 + at}`}, ${`示例路 ${at + 1} 号`},
        ${parent === null ? '' : `400 820 ${1000 + at}`}, ${type === 'pharmaceutical'}, ${type === 'product'},
        ${type === 'pharmaceutical' ? 'pharmacy' : ''}) returning id`.execute(tx)
    for (const { id } of made.rows) ids.set(code, id)
  }
  return ids
}

/** Users with their roles. @returns ids by account */
export async function seedUsers(tx: Tx, merchantIds: Ids, at: Date): Promise<Ids> {
  const ids = new Map<string, number>()
  for (const user of users) {
    const merchantId = idOf(merchantIds, user.merchant)
    const made = await sql<{ id: number }>`insert into app_user (merchant_id, account, display_name, kind, created_at)
      values (${merchantId}, ${user.account}, ${user.displayName}, ${user.kind}, ${at}) returning id`.execute(tx)
    for (const { id } of made.rows) {
      ids.set(user.account, id)
      await seedRole(tx, id, merchantId, user.role)
    }
  }
  return ids
}

async function seedRole(tx: Tx, userId: number, merchantId: number, role: RoleSeed): Promise<void> {
  await sql`with made as (
      insert into role (merchant_id, name, description) values (${merchantId}, ${role.name}, ${role.description})
      returning id
    ), granted as (
      insert into role_permission (role_id, permission)
      select made.id, permission from made, unnest(${permissionsOf(role)}::text[]) as permission
    )
    insert into user_role (user_id, role_id) select ${userId}, id from made`.execute(tx)
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

/** Which machines each user sees, and hospitals' goods machines that are authorised to the pharmacy beside them. */
export async function seedGrants(
  tx: Tx,
  machines: readonly DemoMachine[],
  ids: { machines: Ids; users: Ids; merchants: Ids },
): Promise<void> {
  const toUsers = users.flatMap((user: UserSeed) =>
    machines
      .filter(user.sees)
      .map(({ code }) => ({ machineId: idOf(ids.machines, code), userId: idOf(ids.users, user.account) })),
  )
  await sql`insert into machine_grant_user (machine_id, user_id)
    select * from ${rows('g', toUsers, { machineId: 'bigint', userId: 'bigint' })}`.execute(tx)
  const toMerchants = machines.flatMap(({ code, point, merchant }) => {
    const pharmacy = `${point.merchant}RX`
    if (point.kind !== 'hospital' || merchant !== point.merchant) return []
    return [{ machineId: idOf(ids.machines, code), merchantId: idOf(ids.merchants, pharmacy) }]
  })
  await sql`insert into machine_grant_merchant (machine_id, merchant_id)
    select * from ${rows('g', toMerchants, { machineId: 'bigint', merchantId: 'bigint' })}`.execute(tx)
}
