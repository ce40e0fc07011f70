import {
  type AuthMessage,
  authMessage,
  b64u,
  clientProof,
  deriveKeys,
  fromB64u,
  isKdfStrongEnough,
  type Kdf,
  passwordField,
  serverSignature,
  verifierText,
} from '@aisle/contract/identity/signin'

/** The hashing takes 0.15 s and more, so it runs here and the page stays awake. The password goes no further. */
export type ProveTask = AuthMessage & { kind: 'prove'; password: string }
export type VerifierTask = { kind: 'verifier'; password: string; salt: string; kdf: Kdf }
/** `password` is what is sent in its place; `serverSig` what an honest server must answer to a proof. */
export type Made = { password: string; serverSig: string } | { fault: 'weak' | 'failed' }

const answer = (made: Made) => self.postMessage(made)

self.onmessage = ({ data }: MessageEvent<ProveTask | VerifierTask>) => {
  try {
    answer(make(data))
  } catch {
    answer({ fault: 'failed' })
  }
}

function make(task: ProveTask | VerifierTask): Made {
  if (!isKdfStrongEnough(task.kdf)) return { fault: 'weak' }
  const { salt, kdf } = task
  const keys = deriveKeys(task.password, fromB64u(salt), kdf)
  if (task.kind === 'verifier') {
    const { storedKey, serverKey } = keys
    const verifier = verifierText({ v: 1, kdf, salt, storedKey: b64u(storedKey), serverKey: b64u(serverKey) })
    return { password: verifier, serverSig: '' }
  }
  const message = authMessage(task)
  return {
    password: passwordField(task.cid, clientProof(keys, message)),
    serverSig: b64u(serverSignature(keys.serverKey, message)),
  }
}
