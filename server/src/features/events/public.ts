export { admitKey } from './apiKey/gate'
export type { Caller } from './gate.store'
export { bodyOf, queryOf, signed } from './openCall'
export { signatureOf } from './signature.rules'
