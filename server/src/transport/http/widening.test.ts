import * as unit from '@aisle/contract/people/organisation'
import * as user from '@aisle/contract/people/user'
import * as role from '@aisle/contract/rights/role'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../main/features'
import { addMachine, addMerchant } from '../../testing/builders'
import { addSession, addUser } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { randomFrom } from '../../testing/trade'
import {
  anyMove,
  gained,
  type Holding,
  holdingOf,
  holdingOfInterface,
  type Move,
  resetOf,
  standing,
} from '../../testing/widening'
import { openWorld, type World } from '../../testing/world'

/**
 * Nobody comes to see or to do more than they did, by any chain of calls: random chains of up to four, and those that
 * an attacker would try. Whoever can sign in as somebody, since they made the account, know its password or hold its
 * telephone, has what that one has; whoever holds the secret of an interface has the machines that it reaches.
 */
const NOON = new Date('2026-11-20T04:00:00Z')
const SEED = Number(process.env.SEED ?? 20_261_120)
/** Of each attacker; the long form asks for thousands. */
const CHAINS = Number(process.env.CHAINS ?? 16)
const LONGEST = 4

type Attacker = 'clerk' | 'latent' | 'doctor' | 'boss' | 'parentBoss'
const attackers: readonly Attacker[] = ['clerk', 'latent', 'doctor', 'boss', 'parentBoss']
let world: World
let http: HttpWorld
let people: Record<Attacker | 'rich' | 'hand' | 'childAdmin' | 'childWorker', number>
let units: Record<'narrow' | 'wide' | 'below' | 'stopped', number>
let roles: { everything: number; nouns: number; none: number }
const counts = { chains: 0, calls: 0, done: 0 }

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes))
  await build()
  await keep()
})
afterAll(async () => {
  await http.close()
  await world.close()
  const { chains, calls, done } = counts
  process.stdout.write(`\nwidening: seed ${SEED}, ${chains} chains, ${calls} calls, ${done} carried out\n`)
})

const idOf = async (statement: ReturnType<typeof sql>): Promise<number> => {
  const made = await sql<{ id: number }>`${statement}`.execute(world.services.db)
  return made.rows[0]?.id ?? 0
}

async function build(): Promise<void> {
  const { db } = world.services
  const platformId = await addMerchant(db)
  const parentId = await addMerchant(db, { parentId: platformId })
  const merchantId = await addMerchant(db, { parentId })
  const childId = await addMerchant(db, { parentId: merchantId })
  const strangerId = await addMerchant(db, { parentId: platformId })
  const machine = async (owner: number) => (await addMachine(db, { merchantId: owner, products: [] })).id
  const [first, second, strange] = [await machine(merchantId), await machine(merchantId), await machine(strangerId)]
  await machine(childId)
  await machine(parentId)
  const addUnit = (name: string, parent: number | null = null) =>
    idOf(sql`insert into organisation (merchant_id, parent_id, name) values (${merchantId}, ${parent}, ${name})
      returning id`)
  const [narrow, wide] = [await addUnit('Narrow'), await addUnit('Wide')]
  units = { narrow, wide, below: await addUnit('Below', wide), stopped: await addUnit('Stopped') }
  for (const [at, id] of [
    [narrow, first],
    [wide, first],
    [wide, second],
    [units.stopped, second],
  ]) {
    await sql`insert into machine_grant_organisation (organisation_id, machine_id) values (${at}, ${id})`.execute(db)
  }
  await sql`insert into machine_grant_merchant (merchant_id, machine_id) values (${childId}, ${strange})`.execute(db)
  await sql`update organisation set state = 'stopped' where id = ${units.stopped}`.execute(db)
  const grants = ['user.*', 'organisation.*', 'role.*', 'merchant.write', 'merchant.stop', 'doctor.*', 'machine.read']
  grants.push('integrationConfig.*', 'setting.write')
  const grantMore = [...grants, 'merchant.authorise', 'user.authorise', 'machine.write']
  const add = async (person: Partial<Parameters<typeof addUser>[1]>, unitId: number | null = null) => {
    const { id } = await addUser(db, { merchantId, kind: 'ordinary', grants, ...person })
    await sql`update app_user set organisation_id = ${unitId}, phone = '138' || lpad(id::text, 8, '0')
      where id = ${id}`.execute(db)
    return id
  }
  people = {
    clerk: await add({ grants: grantMore }, narrow),
    latent: await add({}, units.stopped),
    doctor: await add({ kind: 'doctor', machineIds: [first] }),
    boss: await add({ kind: 'merchant_admin', grants: grantMore }),
    parentBoss: await add({ kind: 'merchant_admin', merchantId: parentId, grants: grantMore }),
    rich: await add({ grants: ['refund.approve'], machineIds: [second] }),
    hand: await add({}),
    childAdmin: await add({ kind: 'merchant_admin', merchantId: childId }),
    childWorker: await add({ merchantId: childId, grants: [] }),
  }
  await add({ kind: 'merchant_admin', grants: ['*'] })
  await add({ grants: [] }, units.below)
  await add({ merchantId: platformId, kind: 'platform_admin', grants: ['*'] })
  const addRole = async (name: string, permission: string | null) => {
    const id = await idOf(sql`insert into role (merchant_id, name, is_template) values (${platformId}, ${name}, true)
      returning id`)
    if (permission) await sql`insert into role_permission values (${id}, ${permission})`.execute(db)
    return id
  }
  roles = {
    everything: await addRole('All', '*'),
    nouns: await addRole('Refunds', 'refund.*'),
    none: await addRole('None', null),
  }
}

const KEPT = ['machine_grant_merchant', 'machine_grant_organisation', 'machine_grant_user', 'user_role']
const kept = [...KEPT, 'role_permission', 'app_user', 'organisation', 'merchant', 'role']

async function keep(): Promise<void> {
  await sql`create schema kept`.execute(world.services.db)
  for (const table of kept) {
    await sql`create table kept.${sql.ref(table)} as table ${sql.table(table)}`.execute(world.services.db)
  }
}

/** As it was built: every chain begins with the same. */
async function restore(): Promise<void> {
  await world.services.db.transaction().execute(async (tx) => {
    const run = (statement: ReturnType<typeof sql>) => statement.execute(tx)
    for (const table of [...KEPT, 'role_permission', 'integration_config']) {
      await run(sql`delete from ${sql.table(table)}`)
    }
    await run(sql`update app_user u set organisation_id = k.organisation_id, kind = k.kind, state = k.state,
      phone = k.phone, version = k.version from kept.app_user k where k.id = u.id`)
    await run(sql`update app_user set organisation_id = null, state = 'disabled', kind = 'ordinary'
      where id not in (select id from kept.app_user)`)
    await run(sql`update organisation set parent_id = null where id not in (select id from kept.organisation)`)
    await run(sql`update organisation o set parent_id = k.parent_id, state = k.state, version = k.version
      from kept.organisation k where k.id = o.id`)
    await run(sql`delete from organisation where id not in (select id from kept.organisation)`)
    await run(sql`update merchant m set parent_id = k.parent_id, state = k.state, version = k.version
      from kept.merchant k where k.id = m.id`)
    await run(sql`update session set active_role_id = null`)
    await run(sql`delete from role where id not in (select id from kept.role)`)
    await run(sql`update role r set version = k.version from kept.role k where k.id = r.id`)
    for (const table of [...KEPT, 'role_permission']) {
      await run(sql`insert into ${sql.table(table)} select * from kept.${sql.ref(table)}`)
    }
  })
}

type Hand = { id: number; token: string }
const enter = async (id: number): Promise<Hand> => ({ id, token: await addSession(world.services.db, id, NOON) })

/** What the attacker holds, whom they have in their hands, and what they did. */
type Chain = { own: Holding; hands: Hand[]; interfaces: Set<number>; told: string[] }

async function begin(who: Attacker): Promise<Chain> {
  await restore()
  counts.chains += 1
  const id = people[who]
  return { own: await holdingOf(world.services.db, id), hands: [await enter(id)], interfaces: new Set(), told: [who] }
}

async function take(chain: Chain, by: Hand, move: Move): Promise<void> {
  const { status, body } = await http.call(move.endpoint, move.input, { token: by.token })
  expect(status).toBeLessThan(500)
  counts.calls += 1
  chain.told.push(`${by.id}: ${move.name} ${JSON.stringify(move.input)} → ${String(body.code)}`)
  if (status !== 200) return
  counts.done += 1
  const { id: made, adminUserId } = Object(body.data)
  // Whoever runs a merchant sees what they make below it.
  if (adminUserId) chain.own.merchants.push(Number(made))
  if (move.opens !== undefined) chain.interfaces.add(move.opens)
  const id = move.takes === 'new' ? Number(adminUserId ?? made) : move.takes
  if (id !== undefined && chain.hands.every((hand) => hand.id !== id)) chain.hands.push(await enter(id))
  const held = [
    ...chain.hands.map((hand) => holdingOf(world.services.db, hand.id)),
    ...[...chain.interfaces].map((each) => holdingOfInterface(world.services.db, each)),
  ]
  for (const holding of await Promise.all(held)) {
    const more = gained(chain.own, holding)
    expect(more.length === 0 ? [] : [...more, ...chain.told]).toEqual([])
  }
}

test.each(attackers)('random chains of a %s', { timeout: 60_000 + CHAINS * 5_000 }, async (who) => {
  const below = randomFrom(SEED + attackers.indexOf(who))
  for (let nth = 0; nth < CHAINS; nth += 1) {
    const chain = await begin(who)
    for (let step = 0; step < LONGEST; step += 1) {
      const by = chain.hands[below(chain.hands.length)]
      if (by) await take(chain, by, anyMove(await standing(world.services.db), below, world))
    }
  }
})

type Said = { by?: 'hand'; move: () => Promise<Move> }
const edited = (who: keyof typeof people, to: Record<string, unknown>): Said['move'] => {
  return async () => {
    const { users } = await standing(world.services.db)
    const found = users.find(({ id }) => id === people[who])
    const { id, version, kind, unit: organisationId } = found ?? { id: 0, version: 0, kind: '', unit: null }
    const input = { id, version, kind, organisationId, name: 'n', phone: '13900001111', ...to }
    return { name: 'editUser', endpoint: user.editUser, input, takes: id }
  }
}
const hung = (what: keyof typeof units, parent: keyof typeof units | null): Said['move'] => {
  return async () => {
    const found = (await standing(world.services.db)).units.find(({ id }) => id === units[what])
    const input = { id: units[what], version: found?.version, parentId: parent && units[parent] }
    return { name: 'moveOrganisation', endpoint: unit.moveOrganisation, input }
  }
}
const resumed = (what: keyof typeof units): Said['move'] => {
  return async () => ({ name: 'resume', endpoint: unit.resumeOrganisation, input: { id: units[what] } })
}
const given = (who: keyof typeof people, roleIds: () => number[]): Said['move'] => {
  return async () => {
    const found = (await standing(world.services.db)).users.find(({ id }) => id === people[who])
    const input = { id: people[who], version: found?.version, roleIds: roleIds() }
    return { name: 'assignRoles', endpoint: user.assignRoles, input }
  }
}
const copied = (id: () => number): Said['move'] => {
  return async () => ({ name: 'copyRole', endpoint: role.copyRole, input: { id: id(), name: 'Copied' } })
}
const reset = (who: keyof typeof people): Said['move'] => {
  return async () => resetOf(await standing(world.services.db), people[who], world)
}
const takesHand: Said = { move: edited('hand', {}) }

const tried: [string, Attacker, () => Said[]][] = [
  ['their own unit', 'clerk', () => [{ move: edited('clerk', { organisationId: units.wide }) }]],
  ['the place of their unit', 'clerk', () => [{ move: hung('narrow', 'wide') }]],
  ['it by another', 'clerk', () => [takesHand, { by: 'hand', move: hung('narrow', 'below') }]],
  [
    'themselves by another',
    'clerk',
    () => [takesHand, { by: 'hand', move: edited('clerk', { organisationId: units.wide }) }],
  ],
  ['another’s unit', 'clerk', () => [{ move: edited('hand', { organisationId: units.below }) }]],
  ['a unit that goes on', 'latent', () => [takesHand, { by: 'hand', move: resumed('stopped') }]],
  [
    'a unit that leaves a stopped one',
    'latent',
    () => [{ move: hung('stopped', 'narrow') }, { move: resumed('stopped') }],
  ],
  ['the account of who sees more', 'clerk', () => [{ move: reset('rich') }]],
  ['the account of who sees the stranger’s', 'parentBoss', () => [{ move: reset('childAdmin') }]],
  ['a new administrator there', 'parentBoss', () => [{ move: edited('childWorker', { kind: 'merchant_admin' }) }]],
  ['a role that may everything', 'boss', () => [takesHand, { move: given('hand', () => [roles.everything]) }]],
  [
    'a copy of it',
    'boss',
    () => [{ move: copied(() => roles.everything) }, takesHand, { move: given('hand', () => [roles.nouns]) }],
  ],
]

test.each(tried)('an attacker gains nothing by %s', async (_, who, said) => {
  const chain = await begin(who)
  for (const { by, move } of said()) {
    const hand = by === 'hand' ? chain.hands.find(({ id }) => id === people.hand) : chain.hands[0]
    if (hand) await take(chain, hand, await move())
  }
})

test('the same calls carry out what is no more than their caller has', async () => {
  const chain = await begin('boss')
  const [boss] = chain.hands
  if (!boss) throw new Error('nobody to call')
  await take(chain, boss, await reset('hand')())
  await take(chain, boss, await edited('hand', { organisationId: units.wide })())
  await take(chain, boss, await hung('narrow', 'wide')())
  await take(chain, boss, await resumed('stopped')())
  expect(chain.told.slice(1).map((each) => each.split('→ ')[1])).toEqual(['H0000', 'H0000', 'H0000', 'H0000'])
})
