import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type { onLoginSSO } from '@aisle/contract/identity/session'
import { normaliseAccount } from '@aisle/contract/identity/signin'
import type { startSSO } from '@aisle/contract/identity/sso'
import { writeAudit } from '../../../kernel/audit'
import type { AuthKeys, CallContext, Tx } from '../../../kernel/context'
import { refuse } from '../../../kernel/refuse'
import { seal, unseal } from '../../../kernel/seal'
import { isStorable } from '../../../kernel/files/storable'
import { hashToken } from '../../../kernel/token'
import type { Account } from '../account/account.store'
import { addUser, setUserRoles } from '../account/user.writes'
import * as accountStore from '../account/account.store'
import { type Admitted, admit, welcome } from '../signIn/admission.commands'
import { asActor } from '../password/password.commands'
import { askSecondFactor } from '../secondFactor/secondFactor.commands'
import * as sessionStore from '../session/session.store'
import * as client from './sso.client'
import type { Provider } from './sso.store'
import * as ssoStore from './sso.store'

type Answer = OutputOf<typeof onLoginSSO>

export const REDIRECT_PATH = '/ssologin'
const JOURNEY_LIVES_MS = 10 * 60_000
/** An office behind one address begins fewer; a flood does not fill the table. */
const MOST_JOURNEYS_AN_ADDRESS = 200
export const aboutClientSecret = 'sso:client'

const reachOf = (keys: AuthKeys, { issuer, clientId, clientSecret, scope }: Provider): client.Reach => ({
  issuer,
  clientId,
  scope,
  clientSecret: unseal(keys, aboutClientSecret, clientSecret),
})

export async function startJourney(
  ctx: CallContext,
  { browserKey }: InputOf<typeof startSSO>,
): Promise<OutputOf<typeof startSSO>> {
  const { db, keys } = ctx.services
  if (ctx.origin === '' || !URL.canParse(ctx.origin)) return refuse('request.malformed')
  const provider = await enabledProvider(ctx)
  const held = await ssoStore.countJourneys(db, ctx.ip, ctx.now(), MOST_JOURNEYS_AN_ADDRESS)
  if (held >= MOST_JOURNEYS_AN_ADDRESS) return refuse('signIn.slowDown')
  const redirectUri = ctx.origin + REDIRECT_PATH
  const { address, journey } = await reached(ctx, () => client.begin(reachOf(keys, provider), redirectUri))
  const stateHash = hashToken(journey.state)
  await ssoStore.insertJourney(db, {
    stateHash,
    browserHash: hashToken(browserKey),
    sealed: seal(keys, aboutJourney(stateHash), JSON.stringify(journey)),
    redirectUri,
    providerVersion: provider.version,
    ip: ctx.ip,
    expiresAt: new Date(ctx.now().getTime() + JOURNEY_LIVES_MS),
  })
  return { address }
}

const aboutJourney = (stateHash: Buffer) => `sso:${stateHash.toString('base64url')}`

async function enabledProvider(ctx: CallContext): Promise<Provider> {
  const provider = await ssoStore.find(ctx.services.db)
  return provider?.isEnabled ? provider : refuse('signIn.ssoNotConfigured')
}

/** @throws Refusal signIn.ssoUnreachable, which the log explains */
async function reached<T>(ctx: CallContext, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (err) {
    ctx.services.log.warn({ traceId: ctx.traceId, err }, 'single sign-on provider not reached')
    return refuse('signIn.ssoUnreachable')
  }
}

/** The browser is back with a code: what the provider says of its owner decides who they are here. */
export async function finishJourney(ctx: CallContext, input: InputOf<typeof onLoginSSO>): Promise<Answer> {
  const provider = await enabledProvider(ctx)
  const claims = await claimsOf(ctx, provider, input)
  const outcome = await ctx.services.db.transaction().execute(async (tx) => {
    const found = await accountFor(tx, ctx, provider, claims)
    if (found) await sessionStore.holdUser(tx, found.userId)
    const account = found && (await accountStore.findById(tx, found.userId))
    if (!account?.isEnabled) return null
    // Its own password has no part in this; only who must prove more is asked for it.
    const admissible = { ...account, mustChange: false }
    const asked = await askSecondFactor(tx, ctx, admissible)
    return asked ?? { account: admissible, admitted: await admit(tx, ctx, admissible) }
  })
  if (outcome === null) return refuse('signIn.ssoNoAccount')
  const customData = { provider: provider.name, subject: claims.sub }
  return isAdmitted(outcome) ? { ...(await welcome(ctx, outcome.account, outcome.admitted)), customData } : outcome
}

const isAdmitted = (outcome: Answer | { account: Account; admitted: Admitted }) => 'admitted' in outcome

async function claimsOf(
  ctx: CallContext,
  provider: Provider,
  { browserKey = '', code = '', iss, state = '' }: InputOf<typeof onLoginSSO>,
): Promise<client.Claims> {
  const { db, keys, log } = ctx.services
  const stateHash = hashToken(state)
  const taken = await ssoStore.takeJourney(db, stateHash, hashToken(browserKey), ctx.now())
  if (!taken || taken.providerVersion !== provider.version) return refuse('signIn.ssoFailed')
  const journey = JSON.parse(unseal(keys, aboutJourney(stateHash), taken.sealed)) as client.Journey
  const returned = new URL(taken.redirectUri)
  returned.search = new URLSearchParams({ code, state, ...(iss ? { iss } : {}) }).toString()
  try {
    return await client.complete(reachOf(keys, provider), returned, journey)
  } catch (err) {
    log.warn({ traceId: ctx.traceId, err }, 'single sign-on not completed')
    return refuse('signIn.ssoFailed')
  }
}

async function accountFor(
  tx: Tx,
  ctx: CallContext,
  provider: Provider,
  claims: client.Claims,
): Promise<Account | undefined> {
  const { issuer } = provider
  const subject = claims.sub
  await ssoStore.holdSubject(tx, issuer, subject)
  const known = await ssoStore.userOf(tx, issuer, subject)
  if (known !== undefined) return accountStore.findById(tx, known)
  const name = accountIn(provider, claims)
  if (name === null) return undefined
  const account = (await accountStore.findByAccount(tx, name)) ?? (await makeAccount(tx, ctx, provider, claims, name))
  if (!account) return undefined
  const isLinked = await ssoStore.link(tx, { issuer, subject, userId: account.userId, at: ctx.now() })
  return isLinked ? account : undefined
}

const verifiedBy: Partial<Record<Provider['accountClaim'], string>> = {
  email: 'email_verified',
  phone_number: 'phone_number_verified',
}

/**
 * As accounts are written here; null when the provider names none. An address or a number that a person may have typed
 * there themselves is somebody else's until the provider says that it has checked it.
 */
function accountIn({ accountClaim }: Provider, claims: client.Claims): string | null {
  const said = claims[accountClaim]
  const check = verifiedBy[accountClaim]
  if (typeof said !== 'string' || (check && !isSaid(claims[check]))) return null
  const account = normaliseAccount(said)
  return account.length >= 1 && account.length <= 64 && isStorable(account) ? account : null
}

/** Some providers write it as a text. */
const isSaid = (value: unknown): boolean => value === true || value === 'true'

async function makeAccount(
  tx: Tx,
  ctx: CallContext,
  { merchantId, name, roleId, rule }: Provider,
  claims: client.Claims,
  account: string,
): Promise<Account | undefined> {
  if (rule !== 'make' || merchantId === null || roleId === null) return undefined
  const said = typeof claims.name === 'string' && isStorable(claims.name) ? claims.name.trim().slice(0, 80) : ''
  const user = { merchantId, account, name: said || account, kind: 'ordinary', language: ctx.language } as const
  const userId = await addUser(tx, user, ctx.now())
  await setUserRoles(tx, userId, [roleId])
  const made = await accountStore.findById(tx, userId)
  if (!made) throw new Error(`no account of user ${userId}`)
  await writeAudit(tx, { ...ctx, actor: asActor(made) }, 'identity.onLoginSSO', {
    merchantId,
    objectKind: 'user',
    objectId: userId,
    before: null,
    after: { account, displayName: user.name, roleId, madeBy: name },
  })
  return made
}
