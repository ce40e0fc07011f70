import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { UserKind } from '@aisle/contract/identity/permissions'
import type { Reader } from '../kernel/context'
import { hashToken, SESSION_WHOLE_MS } from '../kernel/token'
import { addMachine, addMerchant, addProduct, type BuiltMachine, nextNumber } from './builders'
import { cells } from './cells'
import type { MakeRow } from './sightCells'

export type BuiltUser = { id: number; account: string }

/** @param user.grants of a role of their own, e.g. `machine.read` or `*`; none means a role that grants nothing */
export async function addUser(
  db: Reader,
  user: { merchantId: number; kind?: UserKind; grants?: readonly string[]; machineIds?: readonly number[] },
): Promise<BuiltUser> {
  const account = `user${nextNumber()}`
  const { merchantId, kind = 'merchant_admin', grants = [], machineIds = [] } = user
  const inserted = await sql<{ id: number }>`insert into app_user (merchant_id, account, display_name, kind)
    values (${merchantId}, ${account}, ${account}, ${kind}) returning id`.execute(db)
  const id = inserted.rows[0]?.id ?? 0
  await sql`with made as (insert into role (merchant_id, name)
      values (${merchantId}, ${`Role of ${account}`}) returning id),
    granted as (insert into role_permission select distinct id, unnest(${grants}::text[]) from made)
    insert into user_role select ${id}, id from made`.execute(db)
  await sql`insert into machine_grant_user (machine_id, user_id) select unnest(${machineIds}::bigint[]), ${id}`.execute(
    db,
  )
  return { id, account }
}

/** @returns the token, as signing in would */
export async function addSession(db: Reader, userId: number, createdAt: Date): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const endsAt = new Date(createdAt.getTime() + SESSION_WHOLE_MS)
  await sql`insert into session (token_hash, user_id, created_at, last_seen_at, ends_at, ip, agent)
    values (${hashToken(token)}, ${userId}, ${createdAt}, ${createdAt}, ${endsAt}, '127.0.0.1', 'test')`.execute(db)
  return token
}

export type Family = {
  platformId: number
  /** The same things twice: two merchants below the platform that must never see each other. */
  ours: Branch
  theirs: Branch
}

export type Branch = {
  merchantId: number
  machines: BuiltMachine[]
  /** One row's id for each noun of `/api/<nouns>/{id}`, as the domains make them. */
  ids: Record<string, number>
}

/** Every text of their branch holds it, so that a leak shows in any answer. */
export const THEIRS = 'Theirs'
export const OURS = 'Ours'

/** Two sibling merchants, each with two machines and a row of every noun. */
export async function addFamily(db: Reader, at: Date): Promise<Family> {
  const platformId = await addMerchant(db)
  return {
    platformId,
    ours: await addBranch(db, platformId, OURS, at),
    theirs: await addBranch(db, platformId, THEIRS, at),
  }
}

/** How a merchant stands to the one whose users ask. */
export const relations = ['own', 'parent', 'child', 'sibling', 'stranger'] as const
export type Relation = (typeof relations)[number]

/** What stands in every text of a relation's branch. */
export const markOf: Record<Relation, string> = {
  own: 'Kinown',
  parent: 'Kinparent',
  child: 'Kinchild',
  sibling: 'Kinsibling',
  stranger: 'Kinstranger',
}

/** A merchant with a parent, a child, a sibling below the same parent, and a stranger elsewhere below the platform. */
export async function addKin(db: Reader, at: Date): Promise<{ platformId: number; kin: Record<Relation, Branch> }> {
  const platformId = await addMerchant(db)
  const below = (parentId: number, relation: Relation) => addBranch(db, parentId, markOf[relation], at)
  const parent = await below(platformId, 'parent')
  const own = await below(parent.merchantId, 'own')
  const child = await below(own.merchantId, 'child')
  const sibling = await below(parent.merchantId, 'sibling')
  const stranger = await below(platformId, 'stranger')
  return { platformId, kin: { own, parent, child, sibling, stranger } }
}

const makers: Readonly<Record<string, MakeRow>> = Object.assign({}, ...cells.map((each) => each.rows))

async function addBranch(db: Reader, parentId: number, mark: string, at: Date): Promise<Branch> {
  const merchantId = await addMerchant(db, { parentId })
  const product = await addProduct(db, { merchantId })
  const machines = [
    await addMachine(db, { merchantId, products: [product] }),
    await addMachine(db, { merchantId, products: [product] }),
  ]
  await nameAll(db, merchantId, mark)
  const ids: Record<string, number> = {}
  const idOf = async (noun: string): Promise<number> => {
    const make = makers[noun]
    if (!make) throw new Error(`no testing.sight.ts makes a row of /api/${noun}`)
    const id = ids[noun] ?? (await make(db, { merchantId, machines, mark, at, idOf }))
    ids[noun] = id
    return id
  }
  for (const noun of Object.keys(makers)) await idOf(noun)
  return { merchantId, machines, ids }
}

async function nameAll(db: Reader, merchantId: number, name: string): Promise<void> {
  const mark = `${name} `
  await sql`update merchant set name = ${mark} || name where id = ${merchantId}`.execute(db)
  for (const table of ['product', 'point', 'machine']) {
    await sql`update ${sql.table(table)} set name = ${mark} || name where merchant_id = ${merchantId}`.execute(db)
  }
}

/** An SMS provider, the only one; what it is asked to send goes nowhere. */
export async function carrySms(db: Reader, isOn = true): Promise<void> {
  await sql`insert into push_provider (channel, kind, is_on, config) values ('sms', 'aliyun', ${isOn}, '{}')
    on conflict (channel) do update set is_on = excluded.is_on`.execute(db)
}
