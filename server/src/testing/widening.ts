import { adminResetPass } from '@aisle/contract/identity/password'
import { isCovered } from '@aisle/contract/identity/permissions'
import { b64u, defaultKdf, verifierText } from '@aisle/contract/identity/signin'
import { saveSsoProvider } from '@aisle/contract/identity/sso'
import type { Endpoint } from '@aisle/contract/kernel/endpoint'
import * as integration from '@aisle/contract/merchant/integration'
import * as merchant from '@aisle/contract/merchant/merchant'
import { addDoctor, editDoctor } from '@aisle/contract/people/doctor'
import * as unit from '@aisle/contract/people/organisation'
import * as user from '@aisle/contract/people/user'
import { switchRole } from '@aisle/contract/rights/acting'
import * as role from '@aisle/contract/rights/role'
import { grantCalls } from '@aisle/contract/sight/authorisation'
import { sql } from 'kysely'
import { saltFor } from '../features/identity/password/credential'
import { cheapKeys } from '../features/identity/testing'
import type { Reader } from '../kernel/context'
import { machineInSight, merchantInSight, sightOf } from '../kernel/scope'
import { nextNumber } from './builders'
import type { World } from './world'

/** What there is to take hold of, as it stands now. */
type Standing = {
  users: { id: number; account: string; version: number; unit: number | null; kind: string; phone: string | null }[]
  units: { id: number; version: number }[]
  roles: { id: number; version: number }[]
  merchants: { id: number; version: number }[]
  machines: { id: number; code: string; merchantId: number }[]
  interfaces: { id: number; version: number }[]
}

export async function standing(db: Reader): Promise<Standing> {
  const found = await sql<{ all: Standing }>`select json_build_object(
    'users', (select json_agg(json_build_object('id', id, 'account', account, 'version', version,
      'unit', organisation_id, 'kind', kind, 'phone', phone) order by id) from app_user),
    'units', (select coalesce(json_agg(json_build_object('id', id, 'version', version) order by id), '[]')
      from organisation),
    'roles', (select json_agg(json_build_object('id', id, 'version', version) order by id) from role),
    'merchants', (select json_agg(json_build_object('id', id, 'version', version) order by id) from merchant),
    'interfaces', (select coalesce(json_agg(json_build_object('id', id, 'version', version) order by id), '[]')
      from integration_config),
    'machines', (select json_agg(json_build_object('id', id, 'code', code, 'merchantId', merchant_id) order by id)
      from machine)) as all`.execute(db)
  const [row] = found.rows
  if (!row) throw new Error('nothing stands')
  return row.all
}

/** What somebody sees and may do. */
export type Holding = { machines: number[]; merchants: number[]; grants: string[] }

export async function holdingOf(db: Reader, userId: number): Promise<Holding> {
  const found = await sql<{ kind: 'ordinary'; merchantId: number; grants: string[] }>`
    select kind, merchant_id as "merchantId", array(select distinct p.permission from user_role ur
      join role_permission p using (role_id) where ur.user_id = u.id) as grants
    from app_user u where id = ${userId}`.execute(db)
  const [person] = found.rows
  // Whoever was deleted holds nothing.
  if (!person) return { machines: [], merchants: [], grants: [] }
  const sight = sightOf({ ...person, userId })
  const seen = await sql<{ machines: number[]; merchants: number[] }>`select
    array(select id from machine where ${machineInSight(sight, sql`machine.id`)} order by id) as machines,
    array(select id from merchant where ${merchantInSight(sight, sql`merchant.id`)} order by id) as merchants
    `.execute(db)
  return { machines: [], merchants: [], ...seen.rows[0], grants: person.grants }
}

/** What who has the secret of an interface, or is called by it, holds by that. */
export async function holdingOfInterface(db: Reader, id: number): Promise<Holding> {
  const found = await sql<{ machines: number[] }>`select array(select m.id from integration_config i
    join machine m on m.merchant_id = i.merchant_id and (i.machine_id is null or i.machine_id = m.id)
    where i.id = ${id}) as machines`.execute(db)
  return { merchants: [], grants: [], machines: found.rows[0]?.machines ?? [] }
}

/** What `now` holds and `before` did not. */
export function gained(before: Holding, now: Holding): string[] {
  return [
    ...now.machines.filter((id) => !before.machines.includes(id)).map((id) => `machine ${id}`),
    ...now.merchants.filter((id) => !before.merchants.includes(id)).map((id) => `merchant ${id}`),
    ...now.grants.filter((grant) => !isCovered(before.grants, [grant])),
  ]
}

export type Move = {
  name: string
  endpoint: Endpoint
  input: Record<string, unknown>
  /** Whose account is in the caller's hands when the call succeeds; `new` is the one that it made. */
  takes?: number | 'new'
  /** The interface that is in the caller's hands then. */
  opens?: number
}
type Below = (below: number) => number

const PASSWORD = 'given'
/** The attacker's own: whoever may be given it can be signed in as. */
const PHONE = '13900001111'
const codes = ['user.write', 'machine.read', 'machine.*', 'refund.approve', 'role.write', 'merchant.write']

type Make = (all: Standing, below: Below, world: World) => Move

const pick = <T>(all: readonly T[], below: Below): T => {
  const found = all[below(all.length)]
  if (found === undefined) throw new Error('nothing to pick from')
  return found
}

const kinds = ['ordinary', 'merchant_admin', 'doctor'] as const
const edits: Make = ({ users, units }, below) => {
  const { id, version, unit: now, kind } = pick(users, below)
  const organisationId = below(4) === 0 ? now : pick([null, ...units.map((each) => each.id)], below)
  const input = { id, version, name: 'n', phone: PHONE, kind: below(4) === 0 ? pick(kinds, below) : kind }
  return { name: 'editUser', endpoint: user.editUser, input: { ...input, organisationId }, takes: id }
}

const resets: Make = (all, below, world) => resetOf(all, pick(all.users, below).id, world)

/** A password that the caller knows. */
export function resetOf({ users }: Standing, id: number, world: World): Move {
  const { account, phone } = users.find((each) => each.id === id) ?? { account: '', phone: null }
  const { storedKey, serverKey } = cheapKeys(PASSWORD)
  const salt = b64u(saltFor(world.services.keys, account))
  const keys = { storedKey: b64u(storedKey), serverKey: b64u(serverKey) }
  const pass = verifierText({ v: 1, kdf: defaultKdf, salt, ...keys })
  return { name: 'adminResetPass', endpoint: adminResetPass, input: { phone: phone ?? PHONE, pass }, takes: id }
}

const gives: Make = ({ users, roles }, below) => {
  const { id, version } = pick(users, below)
  const roleIds = [...new Set([pick(roles, below).id, pick(roles, below).id])]
  return { name: 'assignRoles', endpoint: user.assignRoles, input: { id, version, roleIds } }
}

const moves: Make = ({ units }, below) => {
  const { id, version } = pick(units, below)
  const parentId = pick([null, ...units.map((each) => each.id)], below)
  return { name: 'moveOrganisation', endpoint: unit.moveOrganisation, input: { id, version, parentId } }
}

const unitVerbs: Make = ({ units }, below) => {
  const endpoint = pick([unit.stopOrganisation, unit.resumeOrganisation, unit.removeOrganisation], below)
  return { name: endpoint.name, endpoint, input: { id: pick(units, below).id } }
}

const newUnits: Make = ({ units }, below) => {
  const parentId = pick([null, ...units.map(({ id }) => id)], below)
  return { name: 'addOrganisation', endpoint: unit.addOrganisation, input: { parentId, name: `U${nextNumber()}` } }
}

const grants: Make = ({ users, units, merchants, machines }, below) => {
  const kind = pick(['user', 'organisation', 'merchant'] as const, below)
  const id = pick({ user: users, organisation: units, merchant: merchants }[kind], below).id
  const named = { id, machines: { machineIds: [pick(machines, below).id] } }
  const { grant, revoke } = grantCalls[kind]
  if (below(3) === 0) return { name: `revoke ${kind}`, endpoint: revoke, input: named }
  return { name: `grant ${kind}`, endpoint: grant, input: { ...named, untilDay: pick([null, '2099-01-01'], below) } }
}

const permits: Make = ({ roles }, below) => {
  const { id, version } = pick(roles, below)
  const permissions = [...new Set([pick(codes, below), pick(codes, below)])]
  return { name: 'setPermissions', endpoint: role.setPermissions, input: { id, version, permissions } }
}

const newRoles: Make = ({ roles }, below) =>
  below(2) === 0
    ? { name: 'createRole', endpoint: role.createRole, input: { name: `R${nextNumber()}` } }
    : { name: 'copyRole', endpoint: role.copyRole, input: { id: pick(roles, below).id, name: `R${nextNumber()}` } }

const switches: Make = ({ roles }, below) => {
  const roleId = pick([null, ...roles.map(({ id }) => id)], below)
  return { name: 'switchRole', endpoint: switchRole, input: { roleId } }
}

const userVerbs: Make = ({ users }, below) => {
  const endpoint = pick([user.disableUser, user.enableUser, user.unblockUser], below)
  return { name: endpoint.name, endpoint, input: { id: pick(users, below).id } }
}

const merchantVerbs: Make = ({ merchants }, below) => {
  const { id, version } = pick(merchants, below)
  if (below(2) === 0) {
    const parentId = pick(merchants, below).id
    return { name: 'moveMerchant', endpoint: merchant.moveMerchant, input: { id, version, parentId } }
  }
  if (below(2) === 0) return { name: 'resumeMerchant', endpoint: merchant.resumeMerchant, input: { id } }
  return { name: 'stopMerchant', endpoint: merchant.stopMerchant, input: { id, machines: 'sell', reason: 'test' } }
}

const merchantFacts: Make = ({ merchants }, below) => {
  const { id, version } = pick(merchants, below)
  if (below(3) === 0) return { name: 'deleteMerchant', endpoint: merchant.deleteMerchant, input: { id } }
  const facts = { name: `M${nextNumber()}`, type: 'ordinary', hasPharmacy: below(2) === 0 }
  return { name: 'editMerchant', endpoint: merchant.editMerchant, input: { id, version, ...facts } }
}

const doctors: Make = ({ users }, below) => {
  const { id, version } = pick(users, below)
  return { name: 'editDoctor', endpoint: editDoctor, input: { id, version, profession: 'pharmacist' } }
}

const wantedInterface = { interfaceType: 'both', path: 'https://mine.example.com/', contractNumber: 'C-1' }

const newInterfaces: Make = ({ merchants, machines }, below) => {
  const ofOne = pick(machines, below)
  const of =
    below(2) === 0
      ? { merchantId: ofOne.merchantId, machineCode: ofOne.code }
      : { merchantId: pick(merchants, below).id, machineCode: null }
  const more = pick([{ childClass: 'ship_request' }, { childClass: 'event_feed', path: null }], below)
  const input = { ...of, ...wantedInterface, ...more }
  return { name: 'addIntegration', endpoint: integration.addIntegration, input }
}

const interfaces: Make = (all, below, world) => {
  if (all.interfaces.length === 0) return newInterfaces(all, below, world)
  const { id, version } = pick(all.interfaces, below)
  if (below(3) === 0) {
    const input = { id, version, ...wantedInterface, childClass: 'ship_request' }
    return { name: 'editIntegration', endpoint: integration.editIntegration, input, opens: id }
  }
  const endpoint = pick([integration.rotateIntegrationSecret, integration.enableIntegration], below)
  return { name: endpoint.name, endpoint, input: { id }, opens: id }
}

/** Whoever says who signs people in signs in as everybody. */
const signOns: Make = ({ users, roles, merchants }, below) => {
  const made = { merchantId: pick(merchants, below).id, roleId: pick(roles, below).id, rule: 'make' }
  const provider = { name: 'n', issuer: 'https://mine.example.com', clientId: 'c', scope: 'openid', clientSecret: 's' }
  const input = { ...provider, ...made, accountClaim: 'sub', isEnabled: false, version: null }
  return { name: 'saveSsoProvider', endpoint: saveSsoProvider, input, takes: pick(users, below).id }
}

/** Each costs a password that is hard to guess, so they come seldom. */
const adds: Make = (all, below, world) => pick([addsUser, addsDoctor, addsMerchant], below)(all, below, world)

const addsDoctor: Make = ({ merchants }, below) => {
  const person = { account: `made${nextNumber()}`, name: 'n', phone: PHONE, merchantId: pick(merchants, below).id }
  const licence = { licenceNumber: `L${nextNumber()}`, licenceIssuedBy: 'office', licenceValidFrom: '2020-01-01' }
  return { name: 'addDoctor', endpoint: addDoctor, input: { ...person, ...licence }, takes: 'new' }
}

const addsMerchant: Make = ({ merchants }, below) => {
  const admin = { loginName: `made${nextNumber()}`, adminName: 'n', adminPhone: PHONE }
  const input = {
    parentId: pick(merchants, below).id,
    code: `NEW${nextNumber()}`,
    name: 'n',
    type: 'ordinary',
    ...admin,
  }
  return { name: 'createMerchant', endpoint: merchant.createMerchant, input, takes: 'new' }
}

const addsUser: Make = ({ units, roles, merchants }, below) => {
  const organisationId = pick([null, ...units.map(({ id }) => id)], below)
  const more = { organisationId, merchantId: pick(merchants, below).id, roleIds: [pick(roles, below).id] }
  const person = { account: `made${nextNumber()}`, name: 'n', phone: PHONE, kind: pick(kinds, below) }
  return { name: 'addUser', endpoint: user.addUser, input: { ...person, ...more }, takes: 'new' }
}

const each: readonly Make[] = [
  edits,
  resets,
  gives,
  moves,
  unitVerbs,
  newUnits,
  grants,
  permits,
  newRoles,
  switches,
  userVerbs,
  merchantVerbs,
  merchantFacts,
  doctors,
  newInterfaces,
  interfaces,
  interfaces,
  signOns,
]

export const anyMove: Make = (all, below, world) => (below(40) === 0 ? adds : pick(each, below))(all, below, world)
