import {
  authMessage,
  b64u,
  checkServerSignature,
  clientProof,
  deriveKeys,
  fromB64u,
  type Kdf,
  type Keys,
  kdfText,
  normaliseAccount,
  passwordField,
} from '@aisle/contract/identity/signin'
import { getCheckCode, getLoginParam, onLogin } from '@aisle/contract/identity/session'

/** A program's way in, as the interface describes it: for tests and benches, and to read for whoever writes another. */
export type SignedIn = {
  /** For `authorization: Bearer …`. */
  token: string
  userId: string
  account: string
  /** What keeps a later try from this program on the trusted path; hand it to the next `signIn`. */
  deviceCookie: string
  answer: ReturnType<typeof onLogin.output.parse>
}

export type SignInOptions = {
  deviceCookie?: string
  language?: string
  /** Reads the code off a picture; without it a sign-in that demands one fails. */
  read?: (image: string) => Promise<string>
}

export class SignInFailure extends Error {
  constructor(
    readonly code: string,
    readonly status: number,
    message: string,
  ) {
    super(`${code}: ${message}`)
  }
}

export async function signIn(
  baseUrl: string,
  account: string,
  password: string,
  options: SignInOptions = {},
): Promise<SignedIn> {
  const { origin } = new URL(baseUrl)
  const headers = headersOf(origin, options)
  const asked = await fetch(`${origin}${getCheckCode.path}?account=${encodeURIComponent(account)}`, { headers })
  const code = getCheckCode.output.parse(await dataOf(asked))
  const checkCode = code.checkCode ?? (await options.read?.(code.image ?? ''))
  if (!checkCode) throw new SignInFailure('signIn.typed', 200, 'the code is a picture; too many failures before')

  const cnonce = b64u(crypto.getRandomValues(new Uint8Array(16)))
  const given = await post(getLoginParam.path, { account, cid: code.cid, cnonce })
  const { salt, kdf, snonce } = getLoginParam.output.parse(await dataOf(given))
  const keys = keysOf(account, password, salt, kdf)
  const am = authMessage({ origin, account, cid: code.cid, checkCode, cnonce, snonce, salt, kdf })

  const proved = passwordField(code.cid, clientProof(keys, am))
  const answered = await post(onLogin.path, { account, password: proved, checkCode })
  const answer = onLogin.output.parse(await answered.json())
  if (answer.code !== '') throw new SignInFailure(answer.code, answered.status, answer.msg)
  if (!checkServerSignature(keys.serverKey, am, fromB64u(answer.serverSig ?? ''))) {
    throw new SignInFailure('signIn.fakeServer', answered.status, 'the server does not know this account')
  }
  const { userid = '', accountname = '' } = answer.userInfo ?? {}
  const [deviceCookie = ''] = (answered.headers.getSetCookie()[0] ?? '').split(';', 1)
  return { token: answer.session_key ?? '', userId: userid, account: accountname, deviceCookie, answer }

  function post(path: string, body: Record<string, string>): Promise<Response> {
    return fetch(`${origin}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  }
}

const headersOf = (origin: string, { deviceCookie, language = 'zh' }: SignInOptions): Record<string, string> => ({
  origin,
  'content-type': 'application/json',
  'accept-language': language,
  ...(deviceCookie ? { cookie: deviceCookie } : {}),
})

async function dataOf(response: Response): Promise<unknown> {
  const { code, msg, data } = (await response.json()) as { code: string; msg: string; data?: unknown }
  if (!response.ok) throw new SignInFailure(code, response.status, msg)
  return data
}

const derived = new Map<string, Keys>()

/** argon2id costs a program what it costs a guesser, so each password is derived once. */
function keysOf(account: string, password: string, salt: string, kdf: Kdf): Keys {
  const name = JSON.stringify([normaliseAccount(account), password, salt, kdfText(kdf)])
  const kept = derived.get(name)
  if (kept) return kept
  const keys = deriveKeys(password, fromB64u(salt), kdf)
  derived.set(name, keys)
  return keys
}
