import { defaultKdf, type Keys } from '@aisle/contract/identity/signin'
import { permissions } from '@aisle/contract/permissions'
import { saltFor } from '../../features/identity/password/credential'
import { write } from '../../features/identity/password/credential.store'
import { deriveApart } from '../../features/identity/password/derive'
import { demoMacOf, isShippedPassword } from '../../features/identity/password/shipped.commands'
import { addUser, setUserRoles } from '../../features/identity/public'
import { insert } from '../../features/merchant/merchant.store'
import { putGrants } from '../../features/rights/role.store'
import { must } from '../../kernel/must'
import { DEMO_OPERATOR, merchants, PLATFORM } from '../data/merchants'
import { platformNouns, type RoleSeed, users } from '../data/people'
import { spareRoles, templates, typesOfRoles } from '../data/roles'
import type { Past } from '../life/within'
import type { DemoMachine } from '../network/network'

/** Invented, like the numbers beside them. */
const contacts = ['沈嘉禾', '林远舟', '许知夏', '顾南乔', '陈望舒', '梁景行']

/** By what the form of a merchant does, and the platform itself. */
export async function seedMerchants({ ids, idOf, services, tx }: Past): Promise<void> {
  const since = services.clock.now()
  for (const [at, { code, parent, name, type, collectsPayment = false, hasHighGo = false }] of merchants.entries()) {
    const isPharmacy = type === 'pharmaceutical'
    const contact = { contact: contacts[at % contacts.length] ?? '', phone: `021 5550 ${1000 + at}` }
    const address = { address: `示例路 ${at + 1} 号`, servicePhone: parent === null ? '' : `400 820 ${1000 + at}` }
    const may = { collectsPayment, hasHighGo, hasPharmacy: isPharmacy, hasShopping: true }
    const usual = { tags: '', singleSession: false, pickupCodeLimit: null, currency: null, exchangeRate: 1 }
    const about = { name, type, ...contact, ...address, ...may, ...usual, category: isPharmacy ? 'pharmacy' : '' }
    ids.merchant.set(code, await insert(tx, parent === null ? null : idOf('merchant', parent), code, about, since))
  }
}

/** The people who sign in, with their roles, by the functions of the forms. */
export async function addAccounts(past: Past): Promise<void> {
  await addRoles(past)
  const { ids, idOf, services, tx } = past
  const at = services.clock.now()
  for (const { account, displayName: name, kind, merchant, role } of users) {
    const person = { account, name, kind, language: 'zh' as const, merchantId: idOf('merchant', merchant) }
    const id = await addUser(tx, person, at)
    const spare = spareRoles.filter(({ holders }) => holders.includes(account))
    const held = [role, ...spare].map((each) => idOf('role', `${merchant}/${each.name}`))
    await setUserRoles(tx, id, held)
    ids.user.set(account, id)
  }
}

/** Those of the accounts, the platform's templates, and second ones for who works at two jobs. */
async function addRoles({ ids, idOf, tx }: Past): Promise<void> {
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
  for (const { merchant, grants, ...role } of all) {
    const values = { ...role, merchantId: idOf('merchant', merchant) }
    const { id } = await tx.insertInto('role').values(values).returning('id').executeTakeFirstOrThrow()
    await putGrants(tx, id, grants)
    ids.role.set(`${merchant}/${role.name}`, id)
  }
}

/** Of machines, those that are authorised to an account. */
export const seenBy = <M extends { machine: DemoMachine }>(account: string, all: readonly M[]): M[] =>
  all.filter(({ machine }) => users.some((user) => user.account === account && user.sees(machine)))

/** Everything: of all that is known, what is not the platform's. */
export function permissionsOf({ grants }: RoleSeed): string[] {
  if (grants !== 'everything') return [...grants]
  const nouns = new Set(permissions.map(({ noun }) => noun))
  return [...nouns].filter((noun) => !platformNouns.has(noun)).map((noun) => `${noun}.*`)
}

/** What accounts prove a password with, each a while of computing in another thread. */
export async function deriveProofs({ keys }: Pick<Past['services'], 'keys'>, password: string): Promise<Keys[]> {
  const proofs: Keys[] = []
  for (const { account } of users) proofs.push(await deriveApart(password, saltFor(keys, account), defaultKdf))
  return proofs
}

export async function seedPasswords(past: Past, password: string, proofs: readonly Keys[]): Promise<void> {
  const { services, idOf, tx } = past
  const { keys, clock } = services
  const about = { isShipped: isShippedPassword(password), demoMac: demoMacOf(keys, password), at: clock.now() }
  for (const [at, { account }] of users.entries()) {
    const opened = must(proofs[at], account)
    await write(tx, keys, { userId: idOf('user', account), kdf: defaultKdf, opened, mustChange: false, ...about })
  }
}
