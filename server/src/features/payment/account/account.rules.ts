import { type AccountHindrance, PUBLISH_WITHIN_MS } from '@aisle/contract/payment/account'
import type { KeyState } from '@aisle/contract/payment/provider'
import type { FundsMode, Provider } from '@aisle/contract/payment/states'

/** What an account says of itself, of its provider account, and of the merchant that it would collect for. */
export type AccountFacts = {
  provider: Provider
  fundsMode: FundsMode
  environment: 'production' | 'sandbox'
  appId: string
  providerNo: string
  gateway: string
  /** Where the provider tells us of payments. */
  callbackAddress: string | null
  keyState: KeyState
  subMerchantNo: string
  paymentTitle: string
  bank: string
  accountName: string
  receivingTail: string
  /** The merchant collects its own payments: the books hold none of its money. */
  collectsPayment: boolean
}

/** Everything that has to be mended before the account may collect, in the order of the contract. */
export function hindrancesOf(facts: AccountFacts): AccountHindrance[] {
  const { provider, fundsMode, environment, keyState } = facts
  const isShared = fundsMode === 'profit_share'
  const wrong: Record<AccountHindrance, boolean> = {
    appId: provider !== 'unionpay' && facts.appId === '',
    providerNo: provider !== 'alipay' && facts.providerNo === '',
    // Without one of its own the provider's public one is spoken to, which is no sandbox.
    gateway: facts.gateway === '' ? environment === 'sandbox' : !isReachable(facts.gateway, environment),
    callback: !isReachable(facts.callbackAddress, environment),
    keysMissing: keyState === 'missing',
    keysExpired: keyState === 'expired',
    subMerchantNo: isShared && facts.subMerchantNo === '',
    paymentTitle: facts.paymentTitle === '',
    // A provider that shares profits pays the merchant out by itself, so it must be known where to.
    receiving: isShared && (facts.bank === '' || facts.accountName === '' || facts.receivingTail === ''),
    // Whoever collects for itself does so in a sandbox, too: the books hold nothing of it either way.
    modeSandbox: environment === 'sandbox' && fundsMode !== 'demo' && !facts.collectsPayment,
    modeProduction: environment === 'production' && fundsMode === 'demo',
    modeDirect: facts.collectsPayment && fundsMode !== 'direct',
    modeHeld: !facts.collectsPayment && fundsMode === 'direct',
  }
  return (Object.keys(wrong) as AccountHindrance[]).filter((each) => wrong[each])
}

/**
 * Modes in which the platform answers for money that is not its own: with a licensed custodian, or by the shares that
 * it has a provider pay out. A merchant prepares such an account, and the platform activates it.
 */
export const isPlatforms = (fundsMode: FundsMode): boolean => fundsMode === 'custody' || fundsMode === 'profit_share'

/** `isOwner`: sees the provider account whose numbers collect. `isPlatform`: acts for the platform itself. */
export type Activator = { isOwner: boolean; isPlatform: boolean }

/** Why somebody may not activate an account, now or at an hour; null when they may. */
export function activatorRefusal(
  who: Activator,
  fundsMode: FundsMode,
): 'paymentAccount.notYours' | 'paymentAccount.platformOnly' | null {
  if (!who.isOwner) return 'paymentAccount.notYours'
  return who.isPlatform || !isPlatforms(fundsMode) ? null : 'paymentAccount.platformOnly'
}

/** Real money goes over encrypted lines only. */
const isReachable = (address: string | null, environment: AccountFacts['environment']): boolean =>
  environment === 'production' ? !!address?.startsWith('https://') : !!address

/** Spec §9: within 24 hours. */
export const isPublishTime = (at: Date, now: Date): boolean =>
  at > now && at.getTime() - now.getTime() <= PUBLISH_WITHIN_MS
