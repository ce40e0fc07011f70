import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import type { onLogin } from '@aisle/contract/identity/session'
import { CallFailure } from '../../../live/failure'
import { signInWith } from '../../../live/session'
import { dismissFailures, toast } from '../../../ui/feedback/notice'
import { currentLocale, textOf } from '../../../ui/text'
import { momentText } from '../../../ui/timeText'

export type SignedInAnswer = OutputOf<typeof onLogin>
/** What the second step takes; `setup` where the factor is still to be set up. */
export type SecondFactorAsked = NonNullable<SignedInAnswer['secondFactor']>

const SECOND_FACTOR = 'signIn.secondFactor'

/** A sign-in whose first step was right is no failure, though the call that carried it has a code. */
export function halfwayOf(failure: unknown): SignedInAnswer {
  if (failure instanceof CallFailure && failure.code === SECOND_FACTOR) return failure.answer as SignedInAnswer
  throw failure
}

/** Takes the session, says what happened to the account meanwhile. @returns where to go (specification 2.2) */
export function enterWith(answer: SignedInAnswer): string {
  const t = textOf('identity')
  const { accountname } = signInWith(answer)
  dismissFailures()
  const { failedBefore } = answer
  if (failedBefore) {
    const at = momentText(failedBefore.lastAt, currentLocale())
    toast('info', t('login.failedBefore', { count: failedBefore.count, at, ip: failedBefore.lastIp }))
  }
  toast('good', t('login.success'))
  return accountname === 'admin' ? '/database' : '/'
}
