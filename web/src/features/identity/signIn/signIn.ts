import { getCheckCode, getLoginParam, onLogin } from 'virtual:sign-in-calls'
import { call } from '../../../live/call'
import { now } from '../../../live/clock'
import { halfwayOf, type SignedInAnswer } from './enter'
import { prove, SignInStopped } from './prove'

/** The code of one try; `cid` is empty where it could not be fetched. */
export type CheckCode = { cid: string; mode: 'auto' | 'typed'; code: string; image: string | null; expiresAt: number }

/** Specification §7: when the fetch fails, the code falls back to 0000 (which no server accepts). */
const FALLBACK = '0000'

export async function fetchCheckCode(account: string): Promise<CheckCode> {
  const askedAt = now()
  try {
    const answer = await call(getCheckCode, account ? { account } : {}, { errors: 'silent' })
    const { cid, mode, checkCode = '', image = null, exp } = answer
    return { cid, mode, code: checkCode, image, expiresAt: askedAt + exp * 1000 }
  } catch {
    return { cid: '', mode: 'auto', code: FALLBACK, image: null, expiresAt: Number.POSITIVE_INFINITY }
  }
}

export type SignInForm = { account: string; password: string; cid: string; checkCode: string }

/**
 * SCRAM over argon2id (docs/decisions/0004): fetch what the proof needs, prove in a worker, send the proof, and check
 * that the server knew the verifier too. An answer with `secondFactor` has no session yet.
 * @throws CallFailure when refused, SignInStopped when the server is not to be trusted
 */
export async function signIn(form: SignInForm): Promise<SignedInAnswer> {
  const { account, password, cid, checkCode } = form
  const cnonce = randomNonce()
  const { salt, kdf, snonce } = await call(getLoginParam, { account, cid, cnonce })
  const { origin } = location
  const proved = await prove({ password, origin, account, cid, checkCode, cnonce, snonce, salt, kdf })
  const said = { account, password: proved.password, checkCode }
  const answer = await call(onLogin, said, { errors: 'throw' }).catch(halfwayOf)
  if (answer.serverSig !== proved.serverSig) throw new SignInStopped('server')
  return answer
}

/** 128 random bits in base64url. */
export function randomNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
